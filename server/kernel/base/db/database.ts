/**
 * The only access to the database. `read` and `transaction` open it for one business; `acrossTenants` is the one
 * exception and states its reason. No other code holds a connection.
 */
import pg from 'pg';
import { asElsewhere } from './elsewhere.ts';
import { Batch, OUTDATED, type Answer, type Command } from './sharing/batch.ts';
import { isConnectionLoss } from './connections/loss.ts';
import { SameReads } from './sharing/same-reads.ts';
import { SharedReads, type Carried } from './sharing/shared-reads.ts';
import type { Connection } from './connections/connection.ts';
import { Inquiry } from './connections/inquiry.ts';
import { onceRead, PATIENCE, type Patience } from './connections/patience.ts';
import { Place } from './sharing/place.ts';
import { checkProof, proofOf, type OpenReadServers, type ReadServers, type Spot } from './sharing/spot.ts';
import { INSTALLATION, type Kind } from './sharing/turns.ts';
import { fill, join, raw, param, sql, statement, type Column, type Sql, type Statement } from './sql.ts';
import { parsePgInstant } from '../values/zone.ts';

/** Time limit for one statement of a list; everything else has the session's 30 seconds. */
const LIST_SECONDS = 5;

const BEGIN = statement(sql`BEGIN`);
const BEGIN_READING = statement(sql`BEGIN READ ONLY`);
const COMMIT = statement(sql`COMMIT`);
const ROLLBACK = statement(sql`ROLLBACK`);
const SAVEPOINT = statement(sql`SAVEPOINT attempt`);
const ROLLBACK_TO = statement(sql`ROLLBACK TO attempt`);
const RELEASE = statement(sql`RELEASE attempt`);
/** Lists have a shorter time limit than everything else. */
const CUT_SHORT = sql`set_config('statement_timeout', ${raw(`'${LIST_SECONDS}s'`)}, true)`;
const ENTER_ACROSS = statement(sql`SET LOCAL ROLE rollcall_across`);
const ENTER_ACROSS_TO_READ = statement(sql`SELECT set_config('role', 'rollcall_across', true)`);
const READ_EPOCH = statement(sql`SELECT value FROM access_epoch`);
const DISK_FULL = '53100';
interface Since {
  readonly subjects: readonly string[];
  readonly from: number;
  readonly to: number;
}
// Each change has its own epoch: fewer rows than epochs mean that some changes have already been deleted.
const CHANGES = statement(sql`SELECT count(*) AS changes,
    coalesce(bool_or(subject = ANY (${param((since: Since) => since.subjects)}::text[])), false) AS concerned
  FROM access_change WHERE epoch > ${param((since: Since) => since.from)}::bigint
    AND epoch <= ${param((since: Since) => since.to)}::bigint`);

const nothing = (s: Statement): Command => ({ statement: s, values: [] });
/** How whatever is done for a business begins. `fence`: fails where it may not, over the id. */
function entrance(fence: Sql | null): (providerId: number, kind?: Kind) => Command {
  const begins = (...more: readonly Sql[]): Statement => {
    const business = sql`set_config('rollcall.provider_id', ${null}, true)`;
    const parts = [business, ...(fence ? [fence] : []), ...more, sql`(SELECT value FROM access_epoch)`];
    return statement(sql`SELECT ${join(parts, ', ')}`);
  };
  const [any, list] = [begins(), begins(CUT_SHORT)];
  return (providerId, kind = 'any') => {
    const id = String(providerId);
    return { statement: kind === 'list' ? list : any, values: fence ? [id, id] : [id] };
  };
}
const enterTenant = entrance(null);

/**
 * 40001 serialization failure, 40P01 deadlock, a statement outdated by a migration: the transaction did nothing and may
 * be retried as a whole.
 */
const RETRIED = new Set(['40001', '40P01', ...OUTDATED]);
const ATTEMPTS = 4;
const isOutdated = (error: unknown): boolean => OUTDATED.has((error as { code?: string } | null)?.code ?? '');

const arrayParser = (oid: number) => pg.types.getTypeParser(oid as never) as unknown as (text: string) => unknown[];
const DECODERS: Record<number, (text: string) => unknown> = {
  16: (t) => t === 't',
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  114: JSON.parse,
  3802: JSON.parse,
  1114: (t) => t.replace(' ', 'T'),
  1184: parsePgInstant,
  1016: (t) => arrayParser(1009)(t).map(Number),
  1007: (t) => arrayParser(1009)(t).map(Number),
  1009: arrayParser(1009),
  1182: arrayParser(1009),
};

function toObject(columns: readonly Column[], row: (string | null)[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) {
    const text = row[i];
    object[columns[i].name] = text === null ? null : (DECODERS[columns[i].type]?.(text) ?? text);
  }
  return object;
}

/**
 * The reach of some credential has changed since the caller's was checked: there is no response and nothing is kept,
 * and the caller must be checked again. Thrown only to callers that passed the epoch of their check.
 */
export class AccessChanged extends Error {
  constructor() {
    super('what credentials reach has changed');
  }
}

/** A credential as it was checked: the epoch up to which the check holds, and whose changes would affect it. */
export interface CredentialCheck {
  readonly epoch: number;
  readonly subjects: readonly string[];
  /** called if others' credentials have changed since */
  readonly onStale?: () => void;
}

/**
 * Returns the shared standing of calls in one transaction: it stops if the credential of any has changed, and then all
 * are checked again.
 */
export function sharedStanding(all: readonly (CredentialCheck | undefined)[]): CredentialCheck | undefined {
  const known = all.filter((s) => s !== undefined);
  if (known.length === 0) return undefined;
  return {
    epoch: Math.min(...known.map((s) => s.epoch)),
    subjects: [...new Set(known.flatMap((s) => s.subjects))],
    onStale: known[0].onStale,
  };
}

/**
 * Reads the epoch, which every way in selects as the last column of an opening statement. Looks at the changes since
 * the credential was checked, so that a burst of other people's changes stops nobody.
 * @throws AccessChanged if a change affects the credential
 */
async function checkStanding(
  opened: Answer,
  standing: CredentialCheck | undefined,
  send: (command: Command) => Promise<Answer[]>,
): Promise<void> {
  if (standing === undefined) return;
  const epoch = Number(opened.rows[0].at(-1));
  if (epoch <= standing.epoch) return;
  const since: Since = { subjects: standing.subjects, from: standing.epoch, to: epoch };
  const [
    {
      rows: [[changes, concerned]],
    },
  ] = await send({ statement: CHANGES, values: fill(CHANGES.holes, since) });
  if (concerned === 't' || Number(changes) !== epoch - standing.epoch) throw new AccessChanged();
  standing.onStale?.();
}

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
interface Opening {
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
    this.#pending = [...this.#pending, nothing(SAVEPOINT)];
    try {
      const result = await work();
      if (this.#later.length > 0) await this.send([]);
      return result;
    } catch (error) {
      this.#later = [];
      if (!isConnectionLoss(error)) await this.send([nothing(ROLLBACK_TO)]);
      throw error;
    } finally {
      this.#pending = [...this.#pending, nothing(RELEASE)];
    }
  }

  /** Sends the last commands together with the COMMIT, in one write. */
  async sendAndCommit(commands: readonly Command[]): Promise<Answer[]> {
    // After a commit, it would be too late to find that the caller has no permission.
    if (this.#asked.length > 0 || (!this.#begun && this.#opening.standing !== undefined)) await this.send([]);
    const answers = await this.#send([...commands, nothing(COMMIT)], (all) => this.#commit(all));
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
    if (this.#begun) await this.#inTurn([nothing(ROLLBACK)]);
  }
}

function sendOn(client: pg.PoolClient, commands: readonly Command[], observe?: Observer): Promise<Answer[]> {
  const answers = new Promise<Answer[]>((resolve, reject) => {
    const refuse = (error: unknown) => reject(asElsewhere(error));
    (client as unknown as { query(q: Batch): void }).query(new Batch(commands, resolve, refuse));
  });
  observe?.(commands, answers);
  return answers;
}

export interface DatabaseOptions {
  /** may name several servers: the one that accepts writes is used */
  url: string;
  /** number of connections; two to four times the cores is best, more only lengthens the tail latency */
  size?: number;
  onError?: (error: Error) => void;
  /** called for every write to a connection, for counts and measurements */
  observe?: Observer;
  patience?: Patience;
  /** opens the standbys that may serve reads; null: there are none */
  replicas?: OpenReadServers | null;
  /**
   * an expression that fails for a business that lives in another database, with `BusinessElsewhere`; its one value is
   * the id
   */
  fence?: Sql | null;
}

const session = (lockTimeout: string): string =>
  `SET ROLE rollcall_app; SET TIME ZONE 'UTC'; SET statement_timeout = '30s'; SET lock_timeout = '${lockTimeout}'; SET idle_in_transaction_session_timeout = '60s'; SET jit = off`;
const SESSION = session('15s');
/**
 * On a replica, only a migration holds a lock that a read waits for, and the primary serves the read in the meantime.
 */
const REPLICA_SESSION = session('1s');

/** Time in milliseconds after which a database that doesn't respond to a ping counts as down. */
const PULSE_MS = 3000;

export type Observer = (commands: readonly Command[], answers: Promise<readonly Answer[]>) => void;

export class Database {
  readonly #primary: Spot;
  readonly #replicas: ReadServers | null;
  readonly #observe: Observer | undefined;
  readonly #patience: Patience;
  readonly #enter: typeof enterTenant;
  #fullAt = -Infinity;
  #awaiting = 0;
  #closed?: Promise<void>;
  readonly #pulse: Inquiry<object>;
  readonly #sharedReads = new SharedReads((providerId, commands) =>
    this.#read(providerId, commands, 'any', this.#primary),
  );
  readonly #sameReads = new SameReads((providerId, commands) =>
    this.#read(providerId, commands, 'list', this.#primary),
  );

  constructor({
    url,
    size = 8,
    onError = () => {},
    observe,
    patience = PATIENCE,
    replicas = null,
    fence = null,
  }: DatabaseOptions) {
    this.#enter = fence ? entrance(fence) : enterTenant;
    this.#observe = observe;
    this.#patience = patience;
    this.#pulse = new Inquiry({ url, patience, text: 'SELECT 1', withinMs: PULSE_MS });
    // A connection is handed out only in the role that row-level security applies to. After closing, a connection that
    // ends is not reported.
    const pool = { size, patience, onError: (error: Error) => void (this.#closed || onError(error)) };
    this.#primary = { place: new Place({ ...pool, url, session: SESSION }), least: null };
    this.#replicas = replicas && replicas({ ...pool, url, session: REPLICA_SESSION });
  }

  /** Runs a short read that may share its round trip with others of the same business. */
  async readShort(providerId: number, commands: readonly Command[], standing?: CredentialCheck): Promise<Answer[]> {
    const { opened, answers } = await this.#sharedReads.read(providerId, commands);
    await this.#check(opened, standing);
    return answers;
  }

  /** Returns statements that are each a short read of their own: rows as in a transaction, without opening one. */
  reading(providerId: number, standing?: CredentialCheck): Reads & Pick<Transaction, 'all'> {
    const read = async (statements: readonly Statement[], input?: unknown): Promise<Record<string, any>[][]> => {
      const commands = statements.map((s) => ({ statement: s, values: fill(s.holes, input) }));
      const answers = await this.readShort(providerId, commands, standing);
      return answers.map((answer, n) => answer.rows.map((row) => toObject(statements[n].columns!, row)));
    };
    const rows = async <T>(fragment: Sql, input?: unknown) => (await read([statement(fragment)], input))[0] as T[];
    return {
      rows,
      one: async <T>(fragment: Sql, input?: unknown) => (await rows<T>(fragment, input))[0],
      all: (fragments) => read(fragments.map(statement)),
    };
  }

  /** Runs reads for one business in one round trip and one implicit transaction. */
  read(providerId: number, commands: readonly Command[], standing?: CredentialCheck): Promise<Answer[]> {
    return this.#readChecked(providerId, commands, standing, 'any', this.#primary);
  }

  /**
   * The same for a page of a list, which waits behind what takes less, and is ended after five seconds. It may share
   * what is read with others who ask for the same page, and a replica may answer it.
   */
  readList(providerId: number, commands: readonly Command[], standing?: CredentialCheck): Promise<Answer[]> {
    return this.#anywhere((at) =>
      at === this.#primary
        ? this.#readSame(providerId, commands, standing)
        : this.#readChecked(providerId, commands, standing, 'list', at),
    );
  }

  async #readSame(providerId: number, commands: readonly Command[], standing?: CredentialCheck): Promise<Answer[]> {
    const { opened, answers } = await this.#sameReads.read(providerId, commands);
    await this.#check(opened, standing);
    return answers;
  }

  /** Works like `read`, for reads that are worth asking a replica: see `lookingAnywhere`. */
  readAnywhere(providerId: number, commands: readonly Command[], standing?: CredentialCheck): Promise<Answer[]> {
    return this.#anywhere((at) => this.#readChecked(providerId, commands, standing, 'any', at));
  }

  #anywhere<T>(read: (at: Spot) => Promise<T>): Promise<T> {
    return this.#replicas ? this.#replicas.read(read, this.#primary) : read(this.#primary);
  }

  async #readChecked(
    providerId: number,
    commands: readonly Command[],
    standing: CredentialCheck | undefined,
    kind: Kind,
    at: Spot,
  ): Promise<Answer[]> {
    const { opened, answers } = await this.#read(providerId, commands, kind, at);
    await this.#check(opened, standing);
    return answers;
  }

  /** Reads the changes at the primary: a replica has them only from there. */
  #check(opened: Answer, standing: CredentialCheck | undefined): Promise<void> {
    return checkStanding(opened, standing, (command) => this.#carry(INSTALLATION, 'any', [command], this.#primary));
  }

  async #read(providerId: number, commands: readonly Command[], kind: Kind, at: Spot): Promise<Carried> {
    const proof = proofOf(at);
    const answers = await this.#carry(providerId, kind, [...proof, this.#enter(providerId, kind), ...commands], at);
    for (const proved of answers.splice(0, proof.length)) checkProof(at, proved);
    return { opened: answers.shift()!, answers };
  }

  /** Runs commands in one round trip and one implicit transaction, in the business's turn. */
  async #carry(key: number, kind: Kind, commands: readonly Command[], at: Spot): Promise<Answer[]> {
    const { gate } = at.place;
    await gate.enter(key, kind);
    const begin = performance.now();
    try {
      return await this.#carryNow(commands, at);
    } finally {
      gate.leave(key, kind, performance.now() - begin);
    }
  }

  async #carryNow(commands: readonly Command[], at: Spot): Promise<Answer[]> {
    const client = await at.place.pool.connect();
    try {
      const send = () => sendOn(client, commands, this.#observe);
      const answers = await send().catch((error) => (isOutdated(error) ? send() : Promise.reject(error)));
      client.release();
      return answers;
    } catch (error) {
      this.#giveBack(client, error, at);
      throw error;
    }
  }

  #giveBack(client: pg.PoolClient, error: unknown, at: Spot, lost = isConnectionLoss(error)): void {
    if (at === this.#primary && (error as { code?: string } | null)?.code === DISK_FULL)
      this.#fullAt = performance.now();
    // Without a goodbye message, which a connection whose other end is gone would wait for.
    if (lost) (client as unknown as Connection).abandon('The connection was lost');
    client.release(lost);
  }

  /**
   * Runs a transaction for one business. Commits if `work` returns, rolls back if it throws; a deadlock or
   * serialization failure runs `work` again, so it must not act outside the transaction. With the `standing` of the
   * caller's credential, it ends with `AccessChanged` before the commit if the credential's reach has changed since it
   * was checked.
   */
  transaction<T>(providerId: number, work: (tx: Transaction) => Promise<T>, standing?: CredentialCheck): Promise<T> {
    return this.#inTurn(
      providerId,
      'write',
      { commands: [nothing(BEGIN), this.#enter(providerId)], epochAt: 1, standing },
      work,
    );
  }

  /** Runs a transaction that sees every business. `why` documents the reason, and makes these places searchable. */
  acrossTenants<T>(why: string, work: (tx: Transaction) => Promise<T>, standing?: CredentialCheck): Promise<T> {
    if (why === '') throw new Error('acrossTenants needs a reason');
    return this.#inTurn(
      INSTALLATION,
      'write',
      { commands: [nothing(BEGIN), nothing(ENTER_ACROSS), nothing(READ_EPOCH)], epochAt: 2, standing },
      work,
    );
  }

  /** Runs one statement that reads across businesses, in one round trip and without a transaction. */
  async readAcrossTenants<T = Record<string, any>>(why: string, fragment: Sql): Promise<T[]> {
    if (why === '') throw new Error('readAcrossTenants needs a reason');
    const s = statement(fragment);
    const [, { rows }] = await this.#carry(
      INSTALLATION,
      'any',
      [nothing(ENTER_ACROSS_TO_READ), { statement: s, values: fill(s.holes, undefined) }],
      this.#primary,
    );
    return rows.map((row) => toObject(s.columns!, row)) as T[];
  }

  /** Works like `transaction`, but read-only: the database refuses writes, and it continues while writes wait. */
  looking<T>(providerId: number, work: (tx: Transaction) => Promise<T>, standing?: CredentialCheck): Promise<T> {
    return this.#lookingAt(this.#primary, providerId, work, standing);
  }

  /**
   * Works like `looking`, for work that takes far longer than asking the primary for its position: a replica may serve
   * it if it has everything that was committed before this call. If the replica fails, `work` runs again at the
   * primary.
   */
  lookingAnywhere<T>(
    providerId: number,
    work: (tx: Transaction) => Promise<T>,
    standing?: CredentialCheck,
  ): Promise<T> {
    return this.#anywhere((at) => this.#lookingAt(at, providerId, work, standing));
  }

  #lookingAt<T>(
    at: Spot,
    providerId: number,
    work: (tx: Transaction) => Promise<T>,
    standing: CredentialCheck | undefined,
  ): Promise<T> {
    const commands = [nothing(BEGIN_READING), this.#enter(providerId), ...proofOf(at)];
    return this.#inTurn(providerId, 'any', { commands, epochAt: 1, at, standing }, work);
  }

  /** Works like `acrossTenants`, but read-only. */
  lookingAcross<T>(why: string, work: (tx: Transaction) => Promise<T>, standing?: CredentialCheck): Promise<T> {
    if (why === '') throw new Error('lookingAcross needs a reason');
    return this.#inTurn(
      INSTALLATION,
      'any',
      { commands: [nothing(BEGIN_READING), nothing(ENTER_ACROSS), nothing(READ_EPOCH)], epochAt: 2, standing },
      work,
    );
  }

  async #inTurn<T>(key: number, kind: Kind, opening: Opening, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { gate } = (opening.at ?? this.#primary).place;
    await gate.enter(key, kind);
    const leave = () => gate.leave(key, kind);
    let parked: Promise<unknown> | undefined;
    try {
      return await this.#onConnection(opening, work, (running) => (parked = running));
    } finally {
      // A commit that nobody waits for any more keeps its turn until it is done, just as it keeps its connection.
      if (parked) void parked.then(leave, leave);
      else leave();
    }
  }

  /**
   * Runs `act` on a connection. `park` receives the promise that the connection still waits for after its caller got a
   * response.
   */
  async #onConnection<T>(
    opening: Opening,
    work: (tx: Transaction) => Promise<T>,
    park: (running: Promise<unknown>) => void,
  ): Promise<T> {
    const at = opening.at ?? this.#primary;
    const client = await at.place.pool.connect();
    // A replica that refuses is not retried: the primary is used instead.
    const retried = at === this.#primary ? RETRIED : OUTDATED;
    for (let attempt = 1; ; attempt++) {
      const tx = new Transaction(client, opening, this.#patience.commitMs, this.#observe);
      try {
        const result = await work(tx);
        await tx.end('commit');
        client.release();
        return result;
      } catch (error) {
        if (error instanceof CommitUnknown && error.running) {
          park(this.#park(client, error.running));
          throw error;
        }
        const lost =
          isConnectionLoss(error) ||
          (await tx.end('rollback').then(
            () => false,
            () => true,
          ));
        // On the same connection: it now knows what was outdated, and another one would have to find out first.
        if (!lost && attempt < ATTEMPTS && retried.has((error as { code?: string }).code ?? '')) continue;
        this.#giveBack(client, error, at, lost);
        throw error;
      }
    }
  }

  /**
   * Keeps a connection whose caller already has a response, until its commit is done. Closing it would only leave a
   * server process behind that waits just as long, and then the next one, until there are no more.
   */
  #park(client: pg.PoolClient, running: Promise<unknown>): Promise<unknown> {
    this.#awaiting++;
    return running
      .then(
        () => client.release(),
        (error: unknown) => this.#giveBack(client, error, this.#primary),
      )
      .finally(() => this.#awaiting--);
  }

  /** Primary connections in use, and callers waiting for one, for the metrics. */
  get load(): { total: number; idle: number; waiting: number } {
    return this.#primary.place.load;
  }

  /** State of the replicas, and how many reads they served; null: there are none. */
  get replicas(): Pick<ReadServers, 'states' | 'counts'> | null {
    return this.#replicas;
  }

  /** Problems that operators must know about although the database responds. */
  get trouble(): { diskFull: boolean; commitsWaiting: number } {
    return { diskFull: performance.now() - this.#fullAt < this.#patience.fullMs, commitsWaiting: this.#awaiting };
  }

  /**
   * Checks the database on a connection of its own: a busy pool says nothing about the database.
   * @throws Error if it does not respond in time
   */
  async ping(): Promise<void> {
    await this.#pulse.shared();
  }

  /** Waits briefly for work in progress and then ends it. May be called twice. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#pulse.close();
    await Promise.all([this.#primary.place.close(), this.#replicas?.close()]);
  }
}
