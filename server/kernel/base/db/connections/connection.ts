/**
 * One connection to the database. Adds to `pg`: the choice of the server that accepts writes, among several; a deadline
 * for connecting with all its steps; and giving up a connection whose other end has vanished. TCP alone notices that
 * after a quarter of an hour, or never, and a frozen server keeps no time limits.
 */
import pg from 'pg';
import { askOnce, NoServer, type Host, type Hosts } from './hosts.ts';
import { onceRead, PATIENCE, type Patience } from './patience.ts';

export interface ConnectionOptions {
  readonly hosts: Hosts;
  readonly patience?: Patience;
  /** sent before anybody gets the connection */
  readonly session?: string;
  /** called when the connection was given up because nothing arrived any more */
  readonly onVanished?: (connection: Connection) => void;
}

interface Wire {
  readonly stream: { readonly bytesRead: number; destroy(error?: Error): void };
  on(event: 'readyForQuery' | 'end', listener: () => void): void;
}

const KEEP_ALIVE_MS = 10_000;
const GOODBYE_MS = 1000;
const WHO_AM_I = `SELECT pg_backend_pid() AS pid, NOT pg_is_in_recovery()
  AND current_setting('transaction_read_only') = 'off' AS writes`;

export class Connection extends pg.Client {
  readonly #o: ConnectionOptions;
  readonly #patience: Patience;
  #at: Host | null = null;
  #pid = 0;
  #checking?: NodeJS.Timeout;
  /** exchanges without a complete response */
  #outstanding = 0;
  #exchanges = 0;
  #askedAt = 0;
  #movedAt = 0;
  #bytes = 0;
  #looking = false;
  #doubted = false;
  #ending = false;

  constructor(options: ConnectionOptions) {
    super({ connectionString: options.hosts.url, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS });
    this.#o = options;
    this.#patience = options.patience ?? PATIENCE;
    // An error while nobody waits is reported to other listeners, and must not end the process.
    this.on('error', () => {});
  }

  get #wire(): Wire {
    return (this as unknown as { connection: Wire }).connection;
  }

  /**
   * Connects within `connectMs`, with the requested session, and to a server that accepts writes if that is required.
   */
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: any) => void): void;
  override connect(callback?: (error: any) => void): Promise<pg.Client> | void {
    const connected = this.#connect();
    if (!callback) return connected.then(() => this);
    connected.then(() => callback(null), callback);
  }

  async #connect(): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timeout('The database does not answer')), this.#patience.connectMs);
    const given = new Promise<never>((_, reject) =>
      late.signal.addEventListener('abort', () => reject(late.signal.reason as Error)),
    );
    const open = async () => {
      this.#at = await this.#o.hosts.find();
      if (late.signal.aborted) return;
      if (this.#at) Object.assign(this, this.#at);
      await super.connect();
      await this.#introduce();
    };
    const opening = open();
    opening.catch(() => {});
    try {
      await Promise.race([opening, given]);
    } catch (error) {
      this.#o.hosts.forget(this.#at);
      this.#wire.stream.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    this.#wire.on('readyForQuery', () => this.#answered());
    this.#wire.on('end', () => this.#ended());
    const check = onceRead(() => void this.#check());
    this.#checking = setInterval(check, this.#patience.checkMs).unref();
  }

  async #introduce(): Promise<void> {
    const { session, hosts } = this.#o;
    const said = (await super.query(`${session ? `${session}; ` : ''}${WHO_AM_I}`)) as unknown as
      | pg.QueryResult
      | pg.QueryResult[];
    const { pid, writes } = [said].flat().at(-1)!.rows[0] as { pid: number; writes: boolean };
    if (hosts.wantsWrites && !writes) throw new NoServer('The server takes no writes: it is a standby');
    // Queried instead of taken from the greeting: a pooler in between invents a number of its own.
    this.#pid = pid;
  }

  override query(...args: unknown[]): any {
    if (this.#outstanding++ === 0) {
      this.#askedAt = this.#movedAt = performance.now();
      this.#exchanges++;
    }
    return (super.query as (...args: unknown[]) => unknown)(...args);
  }

  /** Ends the connection with a goodbye message, and does not wait long for the other end to receive it. */
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    if (!this.#ending) setTimeout(() => this.#wire.stream.destroy(), GOODBYE_MS).unref();
    this.#ending = true;
    return callback ? super.end(callback) : super.end();
  }

  /** Closes the connection immediately, without a message to the other end. */
  abandon(why: string): void {
    this.#wire.stream.destroy(timeout(why));
  }

  #answered(): void {
    if (this.#outstanding > 0) this.#outstanding--;
    this.#askedAt = this.#movedAt = performance.now();
    this.#exchanges++;
  }

  #ended(): void {
    clearInterval(this.#checking);
    // The server may no longer be there.
    this.#o.hosts.forget(this.#at);
  }

  async #check(): Promise<void> {
    const { silentMs, answerMs, heartbeatMs } = this.#patience;
    const now = performance.now();
    const { bytesRead } = this.#wire.stream;
    if (bytesRead !== this.#bytes) {
      this.#bytes = bytesRead;
      this.#movedAt = now;
      this.#doubted = false;
    }
    if (this.#outstanding === 0) {
      if (heartbeatMs !== undefined && now - this.#movedAt > heartbeatMs) this.query('SELECT 1').catch(() => {});
      return;
    }
    if (now - this.#askedAt > answerMs) return this.#vanished('The database took longer than it may');
    if (now - this.#movedAt < silentMs || this.#looking) return;
    await this.#look();
  }

  /** Checks whether the server is working on the query, and only the query takes long. */
  async #look(): Promise<void> {
    const exchange = this.#exchanges;
    this.#looking = true;
    const found = await look(this.#o.hosts.url, this.#at, this.#pid, this.#patience.lookMs);
    this.#looking = false;
    if (exchange !== this.#exchanges || this.#wire.stream.bytesRead !== this.#bytes) return;
    const now = performance.now();
    if (found === 'works') this.#movedAt = now;
    else if (found === 'awaits a standby') this.#askedAt = this.#movedAt = now;
    // Only on the second time: at the first, the response may have been on its way.
    else if (found === 'silent' || this.#doubted) this.#vanished('The database does not answer any more');
    else this.#doubted = true;
  }

  #vanished(why: string): void {
    this.abandon(why);
    this.#o.onVanished?.(this);
  }
}

const timeout = (why: string): Error => Object.assign(new Error(why), { code: 'ETIMEDOUT' });

type State = 'works' | 'awaits a standby' | 'idle' | 'silent';

interface Activity {
  readonly pid: number;
  readonly state: string | null;
  readonly wait_event: string | null;
}

const ACTIVITY = 'SELECT pid, state, wait_event FROM pg_stat_activity WHERE usename = session_user';
const looks = new Map<string, Promise<Activity[]>>();

/**
 * Returns the activity of a server process, queried over a separate connection. Concurrent callers for one server share
 * the result.
 */
async function look(url: string, at: Host | null, pid: number, withinMs: number): Promise<State> {
  const key = `${url} ${at?.host} ${at?.port}`;
  let asked = looks.get(key);
  if (!asked)
    looks.set(key, (asked = askOnce<Activity>({ url, at, text: ACTIVITY, withinMs }).finally(() => looks.delete(key))));
  try {
    const mine = (await asked).find((row) => row.pid === pid);
    if (mine?.state !== 'active') return 'idle';
    return mine.wait_event === 'SyncRep' ? 'awaits a standby' : 'works';
  } catch (error) {
    // A server that refuses the connection is alive: it has no connection left, and says nothing about the one in
    // question.
    return (error as { code?: string }).code === '53300' ? 'works' : 'silent';
  }
}
