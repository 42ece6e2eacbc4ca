/**
 * Which server to connect to. `pg` knows one host only; a connection string may name several, as libpq has it:
 * `postgres://user@a,b:5433/name?target_session_attrs=read-write`. The one that takes writes is used, whichever it is
 * now.
 */
import pg from 'pg';

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** How long one server may take to say whether it takes writes, ms. */
const ASK_MS = 3000;
/** Every value that means: the server that takes writes. The others mean servers on which this program cannot work. */
const WRITABLE = new Set(['read-write', 'primary']);

const TAKES_WRITES = `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS yes`;

/** No server can be used now. The code is PostgreSQL's `cannot_connect_now`: trying again later makes sense. */
export class NoServer extends Error {
  readonly code = '57P03';
}

export class Hosts {
  /** a connection string that names one host, for `pg` */
  readonly url: string;
  /** a server is used only while it takes writes */
  readonly wantsWrites: boolean;
  readonly #list: readonly Host[];
  #known?: Host;
  #finding?: Promise<Host>;

  /** @throws Error when the connection string asks for a server that takes no writes */
  constructor(url: string) {
    const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/.exec(url);
    const query = new URLSearchParams(parts?.[4]);
    const wanted = query.get('target_session_attrs') ?? 'any';
    query.delete('target_session_attrs');
    const list = parts?.[2].includes(',') ? parts[2].split(',').map(readHost) : [];
    if (wanted !== 'any' && !WRITABLE.has(wanted)) {
      throw new Error(
        `DATABASE_URL asks for target_session_attrs=${wanted}. Remedy: use read-write; the service has to write.`,
      );
    }
    this.#list = list;
    this.wantsWrites = list.length > 1 || WRITABLE.has(wanted);
    const rest = query.size > 0 ? `?${query}` : '';
    this.url =
      parts && (list.length > 0 || wanted !== 'any') ? `${parts[1]}${parts[2].split(',')[0]}${parts[3]}${rest}` : url;
  }

  /**
   * The server to connect to; null: the only one. Those who ask at once share the answer, and it is remembered until
   * somebody finds it wrong.
   * @throws NoServer when none of several takes writes
   */
  async find(): Promise<Host | null> {
    if (this.#list.length < 2) return this.#list[0] ?? null;
    return this.#known ?? (this.#finding ??= this.#ask().finally(() => (this.#finding = undefined)));
  }

  /** What was found is not so any more. */
  forget(): void {
    this.#known = undefined;
  }

  /** All at once: one that does not answer delays nobody. */
  async #ask(): Promise<Host> {
    try {
      return (this.#known = await Promise.any(this.#list.map((host) => takesWrites(this.url, host))));
    } catch (error) {
      const said = (error as AggregateError).errors.map((e: Error, i) => `${this.#list[i].host}: ${e.message}`);
      throw new NoServer(`No server takes writes (${said.join('; ')})`);
    }
  }
}

function readHost(text: string): Host {
  const [, host, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  if (!host)
    throw new Error(`DATABASE_URL names the host "${text}", which is none. Remedy: write hosts as a:5432,b:5432.`);
  return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')), port: port ? Number(port) : 5432 };
}

async function takesWrites(url: string, at: Host): Promise<Host> {
  const { yes } = await askOnce<{ yes: boolean }>({ url, at, text: TAKES_WRITES, withinMs: ASK_MS }).then(
    (rows) => rows[0],
  );
  if (!yes) throw new Error('it is a standby');
  return at;
}

export interface Question {
  readonly url: string;
  readonly at: Host | null;
  readonly text: string;
  readonly withinMs: number;
}

/** Asks on a connection of its own that is gone afterwards, within a time that holds for all of it. */
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
