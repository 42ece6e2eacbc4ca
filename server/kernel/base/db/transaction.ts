/** An open transaction on a connection of the database. */
import type pg from 'pg';
import { toObject } from './decode.ts';
import { asElsewhere } from './elsewhere.ts';
import { Batch, type Answer, type Command } from './sharing/batch.ts';
import { isConnectionLoss } from './connections/loss.ts';
import { onceRead } from './connections/patience.ts';
import { checkProof, type Spot } from './sharing/spot.ts';
import { fill, sql, statement, type Sql, type Statement } from './sql.ts';
import { checkStanding, type CredentialCheck } from './standing.ts';

export const COMMIT = statement(sql`COMMIT`);
const ROLLBACK = statement(sql`ROLLBACK`);
const SAVEPOINT = statement(sql`SAVEPOINT attempt`);
const ROLLBACK_TO = statement(sql`ROLLBACK TO attempt`);
const RELEASE = statement(sql`RELEASE attempt`);

/** Returns a command without values. */
export const withoutValues = (s: Statement): Command => ({ statement: s, values: [] });

/** Called for every write to a connection, for counts and measurements. */
export type Observer = (commands: readonly Command[], answers: Promise<readonly Answer[]>) => void;

/**
 * The connection was lost, or the time limit passed, after COMMIT was sent: the change may or may not be committed.
 * Never a success, and never retried by the service itself. The code is PostgreSQL's `transaction_resolution_unknown`.
 */
export class CommitUnknown extends Error {
  readonly code = '08007';
  /** the COMMIT, if it still runs: its connection is not free before that is done */
  readonly running: Promise<unknown> | undefined;
  constructor(cause: unknown, running?: Promise<unknown>) {
    super('it is not known whether the transaction was committed', { cause });
    this.running = running;
  }
}

/** Single statements that read: through a transaction, or the database itself. */
export type Reads = Pick<Transaction, 'rows' | 'one'>;

/** The opening statements of a transaction; `epochAt` is the position of the one that reads the epoch. */
export interface Opening {
  readonly commands: readonly Command[];
  readonly epochAt: number;
  /** server of the transaction; the last statement proves that a replica is up to date */
  readonly at?: Spot;
  /** state of the caller's credential; absent: no credential needs to stay valid */
  readonly standing?: CredentialCheck;
}

/** Commands that are sent when the program waits. */
interface Asked {
  readonly commands: readonly Command[];
  readonly resolve: (answers: Answer[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * An open transaction. Statements that are issued before the program waits for any of them (`Promise.all`) share a
 * round trip, in the order in which they were issued. Rows are objects: bigint and int as number, timestamptz as epoch
 * milliseconds, timestamp and date as ISO text, json parsed, numeric as text.
 */
export class Transaction {
  readonly #client: pg.PoolClient;
  readonly #observe: Observer | undefined;
  readonly #opening: Opening;
  readonly #commitMs: number;
  #pending: readonly Command[];
  #later: readonly Command[] = [];
  readonly #asked: Asked[] = [];
  #begun = false;
  #finished = false;
  #running: Promise<unknown> | null = null;

  constructor(client: pg.PoolClient, opening: Opening, commitMs: number, observe?: Observer) {
    this.#observe = observe;
    this.#client = client;
    this.#opening = opening;
    this.#commitMs = commitMs;
    this.#pending = opening.commands;
  }

  /** Runs commands in one write; the opening statements are sent with the first. */
  send(commands: readonly Command[]): Promise<Answer[]> {
    return new Promise((resolve, reject) => {
      // After all other code that runs before the program waits, so that its commands join this write.
      if (this.#asked.push({ commands, resolve, reject }) === 1) process.nextTick(() => void this.#sendAsked());
    });
  }

  async #sendAsked(): Promise<void> {
    const asked = this.#asked.splice(0);
    try {
      // It was issued next to a command that failed: after the ROLLBACK it would run outside the transaction.
      if (this.#finished) throw new Error('the transaction has ended');
      const commands = asked.flatMap((one) => one.commands);
      const answers = await this.#send(commands, (all) => this.#inTurn(all));
      for (const one of asked) one.resolve(answers.splice(0, one.commands.length));
    } catch (error) {
      for (const one of asked) one.reject(error);
    }
  }

  /**
   * Issues a write whose result nobody needs: it is sent with the next statement, or with the COMMIT, and an error of
   * it is thrown there.
   */
  later(fragment: Sql): void {
    const s = statement(fragment);
    this.#later = [...this.#later, { statement: s, values: fill(s.holes, undefined) }];
  }

  /** The driver takes one query at a time: what was asked while another is under way follows it. */
  #inTurn(commands: readonly Command[]): Promise<Answer[]> {
    const send = (): Promise<Answer[]> => sendOn(this.#client, commands, this.#observe);
    const answers = this.#running ? this.#running.then(send, send) : send();
    const free = (): void => {
      if (this.#running === answers) this.#running = null;
    };
    this.#running = answers;
    answers.then(free, free);
    return answers;
  }

  async #send(commands: readonly Command[], carry: (all: readonly Command[]) => Promise<Answer[]>): Promise<Answer[]> {
    const before = [...this.#pending, ...this.#later];
    const first = !this.#begun;
    this.#pending = [];
    this.#later = [];
    this.#begun = true;
    const answers = await carry([...before, ...commands]);
    if (first && this.#opening.at) checkProof(this.#opening.at, answers[this.#opening.commands.length - 1]);
    if (first)
      await checkStanding(answers[this.#opening.epochAt], this.#opening.standing, (command) => this.#inTurn([command]));
    return answers.slice(before.length);
  }

  /** Returns rows; `input` is the source of the fragment's params, if it has any. */
  async rows<T = Record<string, any>>(fragment: Sql, input?: unknown): Promise<T[]> {
    const s = statement(fragment);
    const [answer] = await this.send([{ statement: s, values: fill(s.holes, input) }]);
    return answer.rows.map((row) => toObject(s.columns!, row)) as T[];
  }

  async one<T = Record<string, any>>(fragment: Sql, input?: unknown): Promise<T | undefined> {
    return (await this.rows<T>(fragment, input))[0];
  }

  /** Returns the number of affected rows. */
  async run(fragment: Sql): Promise<number> {
    const s = statement(fragment);
    const [answer] = await this.send([{ statement: s, values: fill(s.holes, undefined) }]);
    return answer.count;
  }

  /** Runs several statements in one round trip, and returns the rows of each. */
  async all(fragments: readonly Sql[]): Promise<Record<string, any>[][]> {
    const statements = fragments.map(statement);
    const answers = await this.send(statements.map((s) => ({ statement: s, values: fill(s.holes, undefined) })));
    return answers.map((answer, i) => answer.rows.map((row) => toObject(statements[i].columns!, row)));
  }

  /**
   * Runs `work`; if it throws, its changes are rolled back and the transaction continues. Attempts may be nested: each
   * releases its savepoint (with the next command), otherwise the outer one would only undo the changes after the last
   * inner one. No other code may write concurrently: its changes would be rolled back too.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    // Commands that were issued before are not part of it. The savepoint itself is sent with the first statement of the
    // work.
    if (this.#later.length + this.#asked.length > 0) await this.send([]);
    this.#pending = [...this.#pending, withoutValues(SAVEPOINT)];
    try {
      const result = await work();
      if (this.#later.length > 0) await this.send([]);
      return result;
    } catch (error) {
      this.#later = [];
      if (!isConnectionLoss(error)) await this.send([withoutValues(ROLLBACK_TO)]);
      throw error;
    } finally {
      this.#pending = [...this.#pending, withoutValues(RELEASE)];
    }
  }

  /** Sends the last commands together with the COMMIT, in one write. */
  async sendAndCommit(commands: readonly Command[]): Promise<Answer[]> {
    // After a commit, it would be too late to find that the caller has no permission.
    if (this.#asked.length > 0 || (!this.#begun && this.#opening.standing !== undefined)) await this.send([]);
    const answers = await this.#send([...commands, withoutValues(COMMIT)], (all) => this.#commit(all));
    this.#finished = true;
    if (answers.pop()!.tag !== 'COMMIT') throw new Error('the transaction had failed and was not committed');
    return answers;
  }

  /**
   * Commits. A COMMIT that waits for a standby ignores `statement_timeout`, so the time limit is ours.
   * @throws CommitUnknown if no response came: the server may have committed
   */
  async #commit(commands: readonly Command[]): Promise<Answer[]> {
    const running = this.#inTurn(commands);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = onceRead(() => reject(new CommitUnknown(undefined, running)));
      timer = setTimeout(giveUp, this.#commitMs);
    });
    try {
      return await Promise.race([running, late]);
    } catch (error) {
      throw isConnectionLoss(error) && !(error instanceof CommitUnknown) ? new CommitUnknown(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the transaction. For the database only. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#finished) return;
    if (how === 'commit' && (this.#begun || this.#asked.length + this.#later.length > 0)) {
      await this.sendAndCommit([]);
      return;
    }
    this.#finished = true;
    if (this.#begun) await this.#inTurn([withoutValues(ROLLBACK)]);
  }
}

/** Sends commands in one write. */
export function sendOn(client: pg.PoolClient, commands: readonly Command[], observe?: Observer): Promise<Answer[]> {
  const answers = new Promise<Answer[]>((resolve, reject) => {
    const refuse = (error: unknown) => reject(asElsewhere(error));
    (client as unknown as { query(q: Batch): void }).query(new Batch(commands, resolve, refuse));
  });
  observe?.(commands, answers);
  return answers;
}
