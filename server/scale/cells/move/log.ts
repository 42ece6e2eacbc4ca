/**
 * Changes of one business from the log of its database: a publication selects them, and a slot keeps the log until they
 * are received.
 */
import pg from 'pg';
import { Decoder, type Change } from './pgoutput.ts';
import { Hosts } from '../../../kernel/base/db/connections/hosts.ts';
import { SESSION, type End } from './ends.ts';

/** More changes than this wait on the other side, which spools them. */
const MOST_WAITING = 5000;
/** The other side closes a connection that is silent for a minute. */
const SAY_MS = 5000;
/** Microseconds from 1970 to 2000, the epoch of the protocol. */
const EPOCH_2000 = 946_684_800_000_000n;
const MARKER = 'rollcall move';

/** Prefix of the slots and publications of moves. */
export const OF_MOVES = 'rollcall_move_';

/**
 * Returns the name for the slot and the publication. It includes the database, because a server has slots of several
 * databases.
 */
export async function nameOf({ client, business }: End): Promise<string> {
  const { rows } = await client.query(
    'SELECT oid::text AS database FROM pg_database WHERE datname = current_database()',
  );
  return `${OF_MOVES}${rows[0].database}_${business}`;
}

export async function publish({ client, business }: End, name: string, tables: readonly string[]): Promise<void> {
  const filtered = tables.map((table) => `public."${table}" WHERE (provider_id = ${business})`).join(', ');
  await client.query(`DROP PUBLICATION IF EXISTS ${name}`);
  await client.query(`CREATE PUBLICATION ${name} FOR TABLE ${filtered} WITH (publish_via_partition_root = true)`);
}

/** Returns true if there is a slot that still keeps its log. */
export async function hasSlot({ client }: End, name: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT wal_status IS DISTINCT FROM 'lost' AS whole FROM pg_replication_slots WHERE slot_name = $1`,
    [name],
  );
  return rows[0]?.whole ?? false;
}

/** Drops the slot and the publication. Does nothing if there are none. */
export async function unpublish({ client }: End, name: string): Promise<void> {
  // A stream of a process that was killed a moment ago may still hold it.
  await client.query(
    'SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE slot_name = $1 AND active',
    [name],
  );
  await client.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1', [
    name,
  ]);
  await client.query(`DROP PUBLICATION IF EXISTS ${name}`);
}

interface Wire extends NodeJS.EventEmitter {
  readonly stream: { pause(): void; resume(): void };
  sendCopyFromChunk(chunk: Buffer): void;
}

async function connect(url: string): Promise<pg.Client> {
  const hosts = new Hosts(url);
  const client = new pg.Client({
    connectionString: hosts.url,
    replication: 'database',
    application_name: SESSION,
  } as pg.ClientConfig);
  Object.assign(client, await hosts.find());
  // A query that waits for its response finds out that the connection has ended.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Creates a slot. Each change is either in the snapshot or in the slot, never in both. The snapshot can be used while
 * `use` runs. The slot starts when the transactions that are writing now have ended.
 */
export async function withNewSlot<T>(
  url: string,
  name: string,
  use: (slot: { readonly snapshot: string; readonly at: bigint }) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    const { rows } = await client.query(`CREATE_REPLICATION_SLOT ${name} LOGICAL pgoutput (SNAPSHOT 'export')`);
    const [high, low] = (rows[0].consistent_point as string).split('/');
    return await use({ snapshot: rows[0].snapshot_name, at: (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`) });
  } finally {
    await client.end();
  }
}

/** Writes a mark to the log: a reader that reaches it has everything that was committed before. */
export async function mark({ client }: End, mark: string): Promise<void> {
  await client.query('SELECT pg_logical_emit_message(true, $1, $2)', [MARKER, mark]);
}

export const isMark = (change: Change, mark: string): boolean =>
  change.kind === 'message' && change.prefix === MARKER && change.content === mark;

/** The changes from the position of the slot on. */
export class LogReader {
  readonly #client: pg.Client;
  readonly #wire: Wire;
  readonly #decoder = new Decoder();
  readonly #timer: NodeJS.Timeout;
  #waiting: Change[] = [];
  #wake?: () => void;
  #failure?: Error;
  #confirmed = 0n;
  #paused = false;

  private constructor(client: pg.Client, start: string) {
    this.#client = client;
    this.#wire = (client as unknown as { connection: Wire }).connection;
    this.#wire.on('copyData', ({ chunk }: { chunk: Buffer }) => this.#take(chunk));
    client.query(start).then(
      () => this.#fail(new Error('the stream of changes ended')),
      (error: Error) => this.#fail(error),
    );
    client.on('end', () => this.#fail(new Error('the stream of changes ended')));
    this.#timer = setInterval(() => this.#say(), SAY_MS).unref();
  }

  static async open(url: string, name: string): Promise<LogReader> {
    const client = await connect(url);
    // The text format that the other end expects: see settle().
    await client.query(
      `SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'; SET TimeZone = 'UTC'`,
    );
    return new LogReader(
      client,
      `START_REPLICATION SLOT ${name} LOGICAL 0/0 (proto_version '1', publication_names '${name}', messages 'true')`,
    );
  }

  /** Returns the changes received since the last call; waits until there are some, or until the time has passed. */
  async next(waitMs: number): Promise<readonly Change[]> {
    if (this.#waiting.length === 0 && !this.#failure) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, waitMs);
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    const changes = this.#waiting;
    this.#waiting = [];
    if (this.#paused) this.#wire.stream.resume();
    this.#paused = false;
    if (changes.length === 0 && this.#failure) throw this.#failure;
    return changes;
  }

  /** Confirms that everything up to here is stored at the other end, so that it is never requested again. */
  confirm(lsn: bigint): void {
    if (lsn <= this.#confirmed) return;
    this.#confirmed = lsn;
    this.#say();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#failure ??= new Error('closed');
    await this.#client.end().catch(() => undefined);
  }

  #take(chunk: Buffer): void {
    try {
      // k: keepalive. Everything else is a change, after two positions and the time.
      if (chunk[0] === 0x6b) return void (chunk[17] === 1 && this.#say());
      const change = this.#decoder.read(chunk.subarray(25));
      if (change === null) return;
      this.#waiting.push(change);
    } catch (error) {
      return this.#fail(error as Error);
    }
    if (this.#waiting.length > MOST_WAITING) {
      this.#paused = true;
      this.#wire.stream.pause();
    }
    this.#wake?.();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    clearInterval(this.#timer);
    this.#wake?.();
  }

  #say(): void {
    if (this.#failure) return;
    const said = Buffer.alloc(34);
    said.write('r');
    for (const at of [1, 9, 17]) said.writeBigUInt64BE(this.#confirmed, at);
    said.writeBigInt64BE(BigInt(Date.now()) * 1000n - EPOCH_2000, 25);
    this.#wire.sendCopyFromChunk(said);
  }
}
