/**
 * The choice of the server to connect to. `pg` knows one host only; a connection string may name several, in libpq's
 * format: `postgres://user@a,b:5433/name?target_session_attrs=read-write`. The server that accepts writes is used,
 * whichever that is now.
 */
import pg from 'pg';
import { inTime } from './in-time.ts';

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Time limit for one server to say whether it accepts writes, in milliseconds. */
const ASK_MS = 3000;
/** Delay between two queries to a standby while another server is silent, in milliseconds. */
const RETRY_MS = 200;
/** All values that mean the server that accepts writes. The others mean servers on which this program cannot work. */
export const WRITABLE = new Set(['read-write', 'primary']);

const TAKES_WRITES = `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS yes`;

/** No server can be used now. The code is PostgreSQL's `cannot_connect_now`: a later retry makes sense. */
export class NoServer extends Error {
  readonly code = '57P03';
}

const known = new Map<string, Hosts>();

export class Hosts {
  /**
   * Returns the shared instance for a connection string: in a process that lost its connections, one search is enough
   * for all of them.
   */
  static of(url: string): Hosts {
    const hosts = known.get(url) ?? new Hosts(url);
    known.set(url, hosts);
    return hosts;
  }

  /** a connection string with one host, for `pg` */
  readonly url: string;
  /** a server is used only while it accepts writes */
  readonly wantsWrites: boolean;
  readonly #list: readonly Host[];
  #known?: Host;
  #finding?: Promise<Host>;

  /** @throws Error if the connection string asks for a server that accepts no writes */
  constructor(url: string) {
    const { wanted, hosts, to } = readUrl(url);
    const list = hosts.length > 1 ? hosts.map((host) => readHost(host, 'DATABASE_URL')) : [];
    if (wanted !== 'any' && !WRITABLE.has(wanted)) {
      throw new Error(
        `DATABASE_URL asks for target_session_attrs=${wanted}. Remedy: use read-write; the service has to write.`,
      );
    }
    this.#list = list;
    this.wantsWrites = list.length > 1 || WRITABLE.has(wanted);
    this.url = list.length > 0 || wanted !== 'any' ? to(hosts[0]) : url;
  }

  /**
   * Returns the server to connect to; null: the only one. Concurrent callers share the result, and it is cached until
   * somebody finds it wrong.
   * @throws NoServer if none of several accepts writes
   */
  async find(): Promise<Host | null> {
    if (this.#list.length < 2) return this.#list[0] ?? null;
    return this.#known ?? (this.#finding ??= this.#ask().finally(() => (this.#finding = undefined)));
  }

  /** Forgets the server that was found, unless another one has been found since. */
  forget(found: Host | null): void {
    if (this.#known === found) this.#known = undefined;
  }

  /**
   * Asks all servers in parallel, so that a silent one delays nobody. While it is waited for, a standby may be
   * promoted, so those that have responded are asked again.
   */
  async #ask(): Promise<Host> {
    const first = this.#list.map((host) => takesWrites(this.url, host));
    const allAnswered = Promise.allSettled(first);
    const asked = this.#list.map((host, i) => first[i].catch((error) => this.#askAgain(host, error, allAnswered)));
    try {
      return (this.#known = await Promise.any(asked));
    } catch (error) {
      const said = (error as AggregateError).errors.map((e: Error, i) => `${this.#list[i].host}: ${e.message}`);
      throw new NoServer(`No server takes writes (${said.join('; ')})`);
    }
  }

  async #askAgain(host: Host, refusal: unknown, allAnswered: Promise<unknown>): Promise<Host> {
    for (let last = refusal; ;) {
      if (await inTime(allAnswered, performance.now() + RETRY_MS)) throw last;
      try {
        return await takesWrites(this.url, host);
      } catch (error) {
        last = error;
      }
    }
  }
}

interface ReadUrl {
  /** `target_session_attrs` */
  readonly wanted: string;
  /** as written; none if the text is not a connection string */
  readonly hosts: readonly string[];
  /** returns the same connection string for one host and any session */
  readonly to: (host: string) => string;
}

/** Returns the parts of a connection string that may name several servers. */
export function readUrl(url: string): ReadUrl {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/.exec(url);
  if (!parts) return { wanted: 'any', hosts: [], to: () => url };
  const [, start, hosts, path, search] = parts;
  const query = new URLSearchParams(search);
  const wanted = query.get('target_session_attrs') ?? 'any';
  query.delete('target_session_attrs');
  const rest = query.size > 0 ? `?${query}` : '';
  return { wanted, hosts: hosts.split(','), to: (host) => `${start}${host}${path}${rest}` };
}

/** Returns the host in a connection string. `setting`: where it is written. @throws Error naming the remedy */
export function readHost(text: string, setting: string): Host {
  const [, host, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (!host)
    throw new Error(`${setting} names the host "${text}", which is not a host. Remedy: write hosts as a:5432,b:5432.`);
  return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')), port: port ? Number(port) : 5432 };
}

async function takesWrites(url: string, at: Host): Promise<Host> {
  const { yes } = await askOnce<{ yes: boolean }>({ url, at, text: TAKES_WRITES, withinMs: ASK_MS }).then(
    (rows) => rows[0],
  );
  if (!yes) throw new Error('it is a standby');
  return at;
}

interface Question {
  readonly url: string;
  readonly at: Host | null;
  readonly text: string;
  readonly withinMs: number;
}

/** Runs a query on a connection of its own, closed afterwards, within one time limit for all steps. */
export async function askOnce<Row extends object>({ url, at, text, withinMs }: Question): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  if (at) Object.assign(client, at);
  client.on('error', () => {});
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('it does not answer'), { code: 'ETIMEDOUT' })), withinMs);
  });
  const asked = client.connect().then(() => client.query<Row>(text));
  asked.catch(() => {});
  try {
    const { rows } = await Promise.race([asked, late]);
    client.end().catch(() => {});
    return rows;
  } catch (error) {
    stream.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
