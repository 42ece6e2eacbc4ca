/**
 * The only access to the database. `read` and `transaction` open it for one business; `acrossTenants` is the one
 * exception and states its reason. No other code holds a connection.
 */
import type pg from 'pg';
import { OUTDATED, type Answer, type Command } from './sharing/batch.ts';
import { isConnectionLoss } from './connections/loss.ts';
import { SameReads } from './sharing/same-reads.ts';
import { SharedReads, type Carried } from './sharing/shared-reads.ts';
import type { Connection } from './connections/connection.ts';
import { Inquiry } from './connections/inquiry.ts';
import { PATIENCE, type Patience } from './connections/patience.ts';
import { Place } from './sharing/place.ts';
import { checkProof, proofOf, type OpenReadServers, type ReadServers, type Spot } from './sharing/spot.ts';
import { INSTALLATION, type Kind } from './sharing/turns.ts';
import { fill, join, raw, sql, statement, type Sql, type Statement } from './sql.ts';
import { toObject } from './decode.ts';
import { checkStanding, type CredentialCheck } from './standing.ts';
import {
  CommitUnknown,
  sendOn,
  Transaction,
  withoutValues,
  type Observer,
  type Opening,
  type Reads,
} from './transaction.ts';

export { Transaction, type CredentialCheck, type Reads };

export const BEGIN = statement(sql`BEGIN`);
const BEGIN_READING = statement(sql`BEGIN READ ONLY`);
const ENTER_ACROSS = statement(sql`SET LOCAL ROLE rollcall_across`);
const ENTER_ACROSS_TO_READ = statement(sql`SELECT set_config('role', 'rollcall_across', true)`);
const READ_EPOCH = statement(sql`SELECT value FROM access_epoch`);
const DISK_FULL = '53100';

/**
 * Returns the command that opens a read or a transaction for a business. `fence`: an expression that fails for a
 * business that may not be opened here; its one value is the id. `listMs`: the time limit for a statement of a list
 */
function entrance(fence: Sql | null, listMs: number): (providerId: number, kind?: Kind) => Command {
  const begins = (...more: readonly Sql[]): Statement => {
    const business = sql`set_config('rollcall.provider_id', ${null}, true)`;
    const parts = [business, ...(fence ? [fence] : []), ...more, sql`(SELECT value FROM access_epoch)`];
    return statement(sql`SELECT ${join(parts, ', ')}`);
  };
  const cutShort = sql`set_config('statement_timeout', ${raw(`'${listMs}'`)}, true)`;
  const [any, list] = [begins(), begins(cutShort)];
  return (providerId, kind = 'any') => {
    const id = String(providerId);
    return { statement: kind === 'list' ? list : any, values: fence ? [id, id] : [id] };
  };
}

/**
 * 40001 serialization failure, 40P01 deadlock, a statement outdated by a migration: the transaction did nothing and may
 * be retried as a whole.
 */
const RETRIED = new Set(['40001', '40P01', ...OUTDATED]);
const ATTEMPTS = 4;
const isOutdated = (error: unknown): boolean => OUTDATED.has((error as { code?: string } | null)?.code ?? '');

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

/**
 * A statement keeps at most one processor of the database busy: turns and rests share out connections, and workers that
 * the planner adds would be counted as nobody's.
 */
const session = (lockTimeout: string, { statementMs }: Patience): string =>
  `SET ROLE rollcall_app; SET TIME ZONE 'UTC'; SET statement_timeout = ${statementMs}; SET lock_timeout = '${lockTimeout}'; SET idle_in_transaction_session_timeout = '60s'; SET jit = off; SET max_parallel_workers_per_gather = 0`;
const LOCK_TIMEOUT = '15s';
/**
 * On a replica, only a migration holds a lock that a read waits for, and the primary serves the read in the meantime.
 */
const REPLICA_LOCK_TIMEOUT = '1s';

/** Time in milliseconds after which a database that doesn't respond to a ping counts as down. */
const PULSE_MS = 3000;

export class Database {
  readonly #primary: Spot;
  readonly #replicas: ReadServers | null;
  readonly #observe: Observer | undefined;
  readonly #patience: Patience;
  readonly #enter: ReturnType<typeof entrance>;
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
    this.#enter = entrance(fence, patience.listMs);
    this.#observe = observe;
    this.#patience = patience;
    this.#pulse = new Inquiry({ url, patience, text: 'SELECT 1', withinMs: PULSE_MS });
    // A connection is handed out only in the role that row-level security applies to. After closing, a connection that
    // ends is not reported.
    const pool = { size, patience, onError: (error: Error) => void (this.#closed || onError(error)) };
    this.#primary = { place: new Place({ ...pool, url, session: session(LOCK_TIMEOUT, patience) }), least: null };
    this.#replicas = replicas && replicas({ ...pool, url, session: session(REPLICA_LOCK_TIMEOUT, patience) });
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
   * Runs the commands for a page of a list. Shorter work goes first, and it is ended after five seconds. It may share
   * the result with others who ask for the same page, and a replica may answer it.
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
      { commands: [withoutValues(BEGIN), this.#enter(providerId)], epochAt: 1, standing },
      work,
    );
  }

  /** Runs a transaction that sees every business. `why` documents the reason, and makes these places searchable. */
  acrossTenants<T>(why: string, work: (tx: Transaction) => Promise<T>, standing?: CredentialCheck): Promise<T> {
    if (why === '') throw new Error('acrossTenants needs a reason');
    return this.#inTurn(
      INSTALLATION,
      'write',
      {
        commands: [withoutValues(BEGIN), withoutValues(ENTER_ACROSS), withoutValues(READ_EPOCH)],
        epochAt: 2,
        standing,
      },
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
      [withoutValues(ENTER_ACROSS_TO_READ), { statement: s, values: fill(s.holes, undefined) }],
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
    const commands = [withoutValues(BEGIN_READING), this.#enter(providerId), ...proofOf(at)];
    return this.#inTurn(providerId, 'any', { commands, epochAt: 1, at, standing }, work);
  }

  /** Works like `acrossTenants`, but read-only. */
  lookingAcross<T>(why: string, work: (tx: Transaction) => Promise<T>, standing?: CredentialCheck): Promise<T> {
    if (why === '') throw new Error('lookingAcross needs a reason');
    return this.#inTurn(
      INSTALLATION,
      'any',
      {
        commands: [withoutValues(BEGIN_READING), withoutValues(ENTER_ACROSS), withoutValues(READ_EPOCH)],
        epochAt: 2,
        standing,
      },
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
