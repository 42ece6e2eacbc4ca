/**
 * Does a booking cost the same, no matter how large the feed is? The feed is filled month by month, and at each size
 * the statements of one booking, of the numbering and of a reader are explained: their plans, and how many pages they
 * touch. Times on a busy machine mean little here; the page counts are the same in every run.
 */
import pg from 'pg';
import { beginWith } from '../server/kernel/base/db/schema/partitions.ts';
import { captureBooking, type Captured } from './bookings.ts';
import { install, type Cluster, type Installation } from './kit/installation.ts';
import { IDS_OF_A_MONTH, partitionOf } from '../server/kernel/base/db/schema/months.ts';
import { Stretches } from './kit/pairs.ts';
import type { Report } from './kit/report.ts';

export interface MonthsPlan {
  /** feed items in all months together, ascending */
  readonly sizes: readonly number[];
  /** afterwards only the newest month is filled, to the size that it has in a feed of this many items */
  readonly newestOf: number;
}

/** Two years, the retention of the audit log. */
const MONTHS = 24;
/** Including the business that books. */
const BUSINESSES = 1000;
/** Tolerance for page counts: an index that is one level deeper adds one page per descent. */
const FLAT = 1.15;
/** The page size of a reader. */
const LAST = 100;
/** Depth of an index with some million rows. */
const LEVELS = 3;
/** The first turns also read catalog pages. */
const TURNS = 5;

interface Touched {
  readonly pages: number;
  readonly plans: string;
}

export async function monthRows(report: Report, cluster: Cluster, plan: MonthsPlan): Promise<void> {
  const installation = await install(cluster, 'months', { customers: 5000, events: 1000, attendances: 0 });
  const owner = new pg.Client({ connectionString: installation.url });
  await owner.connect();
  try {
    // Starts one round later: in the first one, event, customer and booking have the same numbers.
    const later = new Stretches(installation, installation.customers.n + 100);
    const captured = await captureBooking(installation, later);
    const newest = await begin(owner, installation);
    const mostOfReader = (await partitions(owner)) * LEVELS + LAST;
    const first = new Map<string, Touched>();
    const have = Array.from({ length: MONTHS }, () => 0);
    const steps = [
      ...plan.sizes.map((n) => ({ name: `${n.toLocaleString('en')} feed items`, of: () => Math.floor(n / MONTHS) })),
      {
        name: `the newest month of ${plan.newestOf.toLocaleString('en')} feed items`,
        of: (month: number) => (month === MONTHS - 1 ? Math.floor(plan.newestOf / MONTHS) : 0),
      },
    ];
    for (const { name, of } of steps) {
      for (let month = 0; month < MONTHS; month++) {
        const n = Math.max(of(month), have[month]);
        await fill(owner, installation, { month: newest - MONTHS + 1 + month, from: have[month], to: n });
        have[month] = n;
      }
      await position(owner, installation);
      await owner.query('VACUUM ANALYZE feed_item');
      for (const [what, { pages, plans }] of await explain(owner, installation, captured)) {
        const before = first.get(what);
        if (!before) first.set(what, { pages, plans });
        report.add({
          name: `${what}, ${name}`,
          figure: pages,
          unit: 'pages',
          better: 'lower',
          // As long as the feed is small, a reader finds its items on few pages.
          ...(what === READER ? { reach: mostOfReader } : before && { against: before.pages, reach: FLAT }),
          note: before && before.plans !== plans ? `another plan: ${plans}` : 'the same plan',
        });
      }
    }
    const { rows } = await owner.query(
      `SELECT pg_size_pretty(sum(pg_total_relation_size(inhrelid))) AS size FROM pg_inherits
        WHERE inhparent = 'feed_item'::regclass`,
    );
    console.log(`The feed takes ${rows[0].size}.`);
  } finally {
    await owner.end();
    await installation.remove();
  }
}

/** Returns the number of partitions of the feed: a reader descends the index of each. */
const partitions = async (owner: pg.Client): Promise<number> =>
  (await owner.query(`SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'feed_item'::regclass`)).rows[0].n;

/** Creates the partitions of the last two years. Returns the current month. */
async function begin(owner: pg.Client, { provider }: Installation): Promise<number> {
  const { rows } = await owner.query('SELECT month_number(now()) AS newest');
  await owner.query('BEGIN');
  await owner.query('DELETE FROM feed_item');
  await beginWith(owner, 'feed_item', rows[0].newest - MONTHS + 1);
  await owner.query(
    `INSERT INTO feed_position (provider_id, last_seq, read_seq) VALUES ($1, 0, 0) ON CONFLICT (provider_id) DO UPDATE
      SET last_seq = 0, read_seq = 0`,
    [provider],
  );
  await owner.query('COMMIT');
  return rows[0].newest;
}

/**
 * Inserts items `from` (inclusive) to `to` (exclusive) of a month: numbered, of all businesses in turn. Numbers
 * continue from month to month.
 */
async function fill(
  owner: pg.Client,
  { provider }: Installation,
  { month, from, to }: { month: number; from: number; to: number },
): Promise<void> {
  if (from >= to) return;
  await owner.query(
    `INSERT INTO ${partitionOf('feed_item', month)}
      (provider_id, id, seq, kind, object, object_id, payload, occurred_at)
     SELECT CASE n % ${BUSINESSES} WHEN 0 THEN $1::bigint ELSE 1000000 + n % ${BUSINESSES} END,
       ${month * IDS_OF_A_MONTH} + n, ${month} * 10000000::bigint + n / ${BUSINESSES} + 1,
       'event_registration.created', 'attendance', n,
       jsonb_build_object('event', n % 1000, 'customer', n % 5000, 'attendance', n), now()
     FROM generate_series($2::bigint, $3::bigint - 1) n`,
    [provider, from, to],
  );
}

const position = (owner: pg.Client, { provider }: Installation) =>
  owner.query(
    `UPDATE feed_position SET last_seq = s.seq, read_seq = s.seq
      FROM (SELECT max(seq) AS seq FROM feed_item WHERE provider_id = $1) s WHERE provider_id = $1`,
    [provider],
  );

/** Explains everything in a transaction that is rolled back. Returns the fewest pages of several turns. */
async function explain(
  owner: pg.Client,
  installation: Installation,
  captured: Captured,
): Promise<Map<string, Touched>> {
  let fewest = new Map<string, Touched>();
  for (let turn = 0; turn < TURNS; turn++) {
    const found = await explainOnce(owner, installation, captured);
    fewest = new Map(
      [...found].map(([what, one]) => {
        const before = fewest.get(what);
        return [what, before && before.pages <= one.pages ? before : one];
      }),
    );
  }
  return fewest;
}

async function explainOnce(
  owner: pg.Client,
  { provider }: Installation,
  { attendance, writes }: Captured,
): Promise<Map<string, Touched>> {
  const found = new Map<string, Touched>();
  await owner.query('BEGIN');
  await owner.query(`SELECT set_config('rollcall.provider_id', $1, true)`, [String(provider)]);
  await owner.query('DELETE FROM attendance WHERE provider_id = $1 AND id = $2', [provider, attendance]);
  const commands = writes.flat().filter(({ statement }) => /^\s*(WITH|SELECT|INSERT|UPDATE)\b/.test(statement.text));
  const all: Touched[] = [];
  for (const { statement, values } of commands) {
    const one = await explained(owner, statement.text, values);
    all.push(one);
    if (/INSERT INTO feed_item\b/.test(statement.text)) found.set('what a booking writes to the feed', one);
  }
  found.set('all statements of a booking', {
    pages: all.reduce((sum, { pages }) => sum + pages, 0),
    plans: all.map(({ plans }) => plans).join(' | '),
  });
  found.set('the numbering, with nothing to number but that', await explained(owner, LOOK, []));
  const { rows } = await owner.query('SELECT last_seq - $2 AS seq FROM feed_position WHERE provider_id = $1', [
    provider,
    LAST,
  ]);
  found.set(READER, await explained(owner, READ, [provider, rows[0].seq]));
  await owner.query('ROLLBACK');
  return found;
}

const READER = `a reader of the last ${LAST} items`;
/** As in `kernel/work/feed/number.ts` and `items.ts`. */
const LOOK = 'SELECT provider_id, id FROM feed_item WHERE seq IS NULL ORDER BY provider_id, id LIMIT 5000';
const READ = `SELECT seq, kind, object, object_id, payload, occurred_at FROM feed_item WHERE provider_id = $1
  AND seq > $2
    ORDER BY seq LIMIT 500`;

async function explained(owner: pg.Client, text: string, values: readonly unknown[]): Promise<Touched> {
  const { rows } = await owner.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, [...values]);
  const [{ Plan: top, Triggers: triggers = [] }] = rows[0]['QUERY PLAN'];
  const kinds: string[] = [];
  const walk = (node: any) => {
    // Each partition has a node of its own: their number is not part of the plan.
    const what = [node['Node Type'], node['Relation Name']?.replace(/_(\d{4}_\d{2}|before)$/, '')]
      .filter(Boolean)
      .join(' ');
    if (kinds.at(-1) !== what) kinds.push(what);
    for (const below of node.Plans ?? []) walk(below);
  };
  walk(top);
  const pages = top['Shared Hit Blocks'] + top['Shared Read Blocks'];
  return { pages, plans: [...kinds, ...triggers.map((t: any) => t['Trigger Name'])].join(' > ') };
}
