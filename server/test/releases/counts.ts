/** Counts and sums of a kept state, which every later release must find again after its migrations. */
import pg from 'pg';
import { storedTables } from '../../kernel/base/db/backups/backup-catalog.ts';
import { qualified } from '../../kernel/base/db/quote.ts';
import type { World } from '../world.ts';

/** Sums of a business by name, each a query of the present schema. */
const SUMS = {
  events: 'SELECT count(*) AS n FROM event WHERE provider_id = $1',
  seats_taken: 'SELECT sum(attending_count + online_attending_count) AS n FROM event WHERE provider_id = $1',
  seats_held: 'SELECT sum(held_count + online_held_count) AS n FROM event WHERE provider_id = $1',
  waiting: 'SELECT sum(waiting_count + online_waiting_count) AS n FROM event WHERE provider_id = $1',
  attendances: 'SELECT count(*) AS n FROM attendance WHERE provider_id = $1',
  uses: 'SELECT sum(amount) AS n FROM entitlement_entry WHERE provider_id = $1',
  memberships: 'SELECT count(*) AS n FROM customer_membership WHERE provider_id = $1',
  invoices: 'SELECT count(*) AS n FROM invoice WHERE provider_id = $1',
  invoiced: 'SELECT sum(total_minor) AS n FROM invoice WHERE provider_id = $1',
  due: 'SELECT sum(due_minor) AS n FROM invoice WHERE provider_id = $1',
  taxes: `SELECT sum(amount_minor) AS n FROM invoice_line_fee WHERE provider_id = $1 AND kind = 'tax'`,
  payments: `SELECT sum(amount_minor) AS n FROM payment WHERE provider_id = $1 AND status = 'succeeded'`,
  account_entries: 'SELECT sum(amount_minor) AS n FROM account_entry WHERE provider_id = $1',
  ledger_lines: 'SELECT count(*) AS n FROM ledger_line WHERE provider_id = $1',
  ledger_debits: 'SELECT sum(amount_minor) AS n FROM ledger_line WHERE provider_id = $1 AND amount_minor > 0',
  feed_position: 'SELECT last_seq AS n FROM feed_position WHERE provider_id = $1',
  feed_items: 'SELECT count(*) AS n FROM feed_item WHERE provider_id = $1',
  feed_readers: 'SELECT sum(last_seq) AS n FROM feed_reader_position WHERE provider_id = $1',
} as const;

export type Sums = Readonly<Record<string, number>>;

export interface Counts {
  readonly release: string;
  /** its migrations, each with its checksum */
  readonly migrations: readonly string[];
  /** the business with exact books, and the one with rows in every table */
  readonly studio: number;
  readonly filled: number;
  /** machine tokens by business */
  readonly tokens: Readonly<Record<string, string>>;
  /** number of rows by table */
  readonly tables: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, Sums>>;
  /** the number of objects, or the status, at each address of the interface, by business */
  readonly shown: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
  /** differences of the ledger by business: calls without their causes leave some in the filled one */
  readonly differences: Readonly<Record<string, readonly string[]>>;
  /** problems that the doctor found */
  readonly findings: readonly string[];
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Counts the rows of every table of the project. */
export const countTables = (url: string): Promise<Record<string, number>> =>
  onDatabase(url, async (client) => {
    const counts: Record<string, number> = {};
    for (const table of await storedTables(client)) {
      if (table.schema !== 'public') continue;
      const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${qualified(table)}`);
      counts[table.name] = rows[0].n;
    }
    return counts;
  });

export const sumsAt = (url: string, business: number): Promise<Sums> =>
  onDatabase(url, async (client) => {
    const sums: Record<string, number> = {};
    for (const [name, query] of Object.entries(SUMS))
      sums[name] = Number((await client.query(query, [business])).rows[0]?.n ?? 0);
    return sums;
  });

/** Reads every address without an id in its path, and the first object of each list by its id. */
export async function readEverything(world: World, token: string): Promise<Record<string, number | string>> {
  const shown: Record<string, number | string> = {};
  const reads = world.app.registry.endpoints.filter(({ method, acts }) => method === 'GET' && acts !== 'stream');
  const paths = new Set(reads.map(({ path }) => path));
  for (const { path, query, who } of reads) {
    if (path.includes('{') || who.provider === false) continue;
    if (Object.values(query ?? {}).some(({ spec }) => !spec.optional)) continue;
    const { status, body, text } = await world.get(path, { as: token });
    // On a machine that is too busy, a state would be kept in which something can't be read.
    if (status >= 500) throw new Error(`GET ${path} answers ${status}: ${text}`);
    shown[path] = status === 200 ? (body?.count ?? body?.results?.length ?? 'ok') : `status ${status}`;
    const first = body?.results?.[0]?.id;
    if (first === undefined || !paths.has(`${path}/{id}`)) continue;
    const one = await world.get(`${path}/${first}`, { as: token });
    shown[`${path}/{id}`] = one.status === 200 ? 'ok' : `status ${one.status}`;
  }
  return shown;
}
