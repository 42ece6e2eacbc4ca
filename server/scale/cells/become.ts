/**
 * Makes a database that of a cell: its ids are unique among cells, rows of businesses elsewhere are hidden, and the
 * names of its businesses are recorded. Runs at each start, to cover later migrations. An installation without cells
 * stays unchanged.
 */
import { createHash } from 'node:crypto';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { MAX_CELLS, type CellSettings } from './settings.ts';
import type { CellName } from '../../kernel/api/cell-declarations.ts';
import { publishNames, watchNames } from './names.ts';
import type { Connection } from '../../kernel/base/db/connections/connection.ts';

/** Lets only one process in at a time. */
const LOCK = 771_031;
/** A statement that waits for a table lock blocks everybody behind it, so it waits briefly, but often. */
const LOCK_MS = 3000;
const ATTEMPTS = 20;
const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Only the first cell may have existed before as an installation: its ids have any remainder. The others begin far
 * above, so that they never issue an id that it had issued.
 */
const FIRST_ID_OF_OTHERS = 1_000_000_000;

/** The form of `across` in a cell: an InitPlan, so that it is evaluated once for each statement. */
const NOT_ELSEWHERE = 'provider_id <> ALL ((SELECT elsewhere())::bigint[])';

/**
 * Prepares the database.
 * @throws Error with the remedy if the database is not that of this cell
 */
export async function becomeCell(
  url: string,
  cells: CellSettings | null,
  names: readonly CellName[],
  log?: (line: string) => void,
): Promise<void> {
  const client = await connectTo(url);
  try {
    const known = await cellOf(client);
    checkCell(known, cells);
    if (cells === null) return;
    await client.query('SET search_path = public');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(`SET lock_timeout = ${LOCK_MS}`);
    if (known === null) {
      await patiently(client, () => begin(client, cells.own));
      log?.(`The database is cell ${cells.own} from now on.`);
    }
    await patiently(client, () => client.query(spreadIds(cells.own, known === null)));
    for (const table of await tablesToHide(client))
      await patiently(client, () => client.query(`ALTER POLICY across ON ${table} USING (${NOT_ELSEWHERE})`));
    await keepNames(client, names);
  } finally {
    await client.end();
  }
}

/** Returns the number of the database's cell; null: it has none, or no tables yet. */
export async function cellOf(client: Pick<Connection, 'query'>): Promise<number | null> {
  const { rows } = await client.query(`SELECT to_regclass('public.cell') IS NOT NULL AS known`);
  if (!rows[0].known) return null;
  return (await client.query('SELECT number FROM public.cell')).rows[0]?.number ?? null;
}

/**
 * Checks the settings.
 * @throws Error if they name another cell than the database belongs to; a database without a cell may become any
 */
export function checkCell(known: number | null, cells: CellSettings | null): void {
  if (known === null || known === cells?.own) return;
  throw new Error(
    cells === null
      ? `The database is cell ${known} of an installation. Remedy: set CELL=${known}, and CELLS to the addresses of all cells.`
      : `The database is cell ${known}, and CELL is ${cells.own}. Remedy: set CELL=${known}, or DATABASE_URL to the database of cell ${cells.own}.`,
  );
}

async function begin(client: Connection, own: number): Promise<void> {
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL) AS used`,
  );
  if (rows[0].used && own !== 1)
    throw new Error(
      `The database has been used already, and only the first cell can begin with what there is. Remedy: make it cell 1, and begin cell ${own} with an empty database.`,
    );
  await client.query('INSERT INTO cell (number) VALUES ($1)', [own]);
}

/**
 * Spreads ids: their remainder is the number of the cell that issued them. Includes ids of jobs: what a job did is
 * recorded under its id, and moves with the business. A sequence that is already right is left unchanged.
 */
const spreadIds = (own: number, isNew: boolean): string => `
DO $$
DECLARE
  sequence text;
  next bigint;
  given boolean;
BEGIN
  FOR sequence IN
    SELECT format('%I.%I', schemaname, sequencename) FROM pg_sequences WHERE schemaname IN ('public', 'graphile_worker')
      AND (increment_by <> ${MAX_CELLS} OR coalesce(last_value, start_value) % ${MAX_CELLS} <> ${own % MAX_CELLS})
  LOOP
    EXECUTE format('ALTER SEQUENCE %s INCREMENT BY ${MAX_CELLS}', sequence);
    EXECUTE format('SELECT last_value, is_called FROM %s', sequence) INTO next, given;
    next := greatest(next + given::integer, ${isNew && own !== 1 ? FIRST_ID_OF_OTHERS : 1});
    next := next + (${own} - next % ${MAX_CELLS} + ${MAX_CELLS}) % ${MAX_CELLS};
    EXECUTE format('ALTER SEQUENCE %s START WITH %s RESTART WITH %s', sequence, next, next);
  END LOOP;
END $$`;

async function tablesToHide(client: Connection): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT polrelid::regclass::text AS name FROM pg_policy WHERE polname = 'across'
      AND pg_get_expr(polqual, polrelid) = 'true' ORDER BY 1`,
  );
  return rows.map(({ name }: { name: string }) => name);
}

/** Triggers are created again only if areas have changed their declarations of names. */
async function keepNames(client: Connection, names: readonly CellName[]): Promise<void> {
  const made = [publishNames(names), ...names.map(watchNames)].join('\n');
  const version = createHash('sha256').update(made).digest('hex');
  const { rows } = await client.query(`SELECT obj_description('cell_name'::regclass) AS version`);
  if (rows[0].version !== version)
    await patiently(client, () => client.query(`${made}\nCOMMENT ON TABLE cell_name IS '${version}'`));
  await client.query('SELECT tell_cell_names(NULL)');
  await client.query(`DELETE FROM cell_name WHERE gone AND changed_at < now() - interval '1 day'`);
}

/** Runs each statement on its own, so that no lock is held longer than necessary. */
async function patiently(client: Connection, act: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN');
    try {
      await act();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
