/**
 * A studio moves in: 10,000 people and their memberships, from two files. Measures how long the dry run and the import
 * take, how much memory they use, and whether anything was imported twice or not at all.
 */
import { install, type Cluster, type Installation } from './installation.ts';
import { memoryFor, memoryOf } from './ledger.ts';
import { serve, type Served } from '../server/test/processes/durable.ts';
import { sql } from '../server/kernel/base/db/sql.ts';
import { until } from '../server/test/storm.ts';
import type { Report } from './report.ts';

export interface ImportPlan {
  readonly people: number;
}

const PATIENCE_MS = 180_000;
const LOOK_MS = 50;
const MAX_SECONDS = { check: 10, run: 30, memory: 64 } as const;
/** The number of people that the limits are for; with fewer people, the time limit shrinks. */
const PEOPLE = 10_000;
const PASS = '10 Class Pass';

export async function importRows(report: Report, cluster: Cluster, { people }: ImportPlan): Promise<void> {
  // Not an empty business: each batch is matched against the existing customers.
  const installation = await install(cluster, 'imports', { customers: people, events: 10, attendances: 0 });
  const server = await serve(installation.url, { ROLE: 'all' });
  try {
    await newPass(installation);
    // Warm-up: compiles the code and fills the memory that the process keeps.
    await moved(installation, server, 'warm', people);
    const before = memoryOf(server.process.pid!);
    let took = { check: 0, run: 0 };
    const most = await memoryFor(server.process.pid!, async () => {
      took = await moved(installation, server, 'moved', people);
    });
    const named = `${people.toLocaleString('en')} people with memberships`;
    report.add({
      name: `import of ${named}: dry run of both files`,
      figure: took.check,
      reach: (MAX_SECONDS.check * people) / PEOPLE,
      better: 'lower',
      unit: 's',
    });
    report.add({
      name: `  the import itself`,
      figure: took.run,
      reach: (MAX_SECONDS.run * people) / PEOPLE,
      better: 'lower',
      unit: 's',
    });
    report.add({
      name: '  more memory of the process meanwhile',
      figure: most - before,
      reach: MAX_SECONDS.memory,
      better: 'lower',
      unit: 'MB',
    });
    report.add({
      name: '  people without exactly one membership with 4 uses left',
      figure: await wrong(installation, people),
      reach: 0,
      better: 'lower',
    });
  } finally {
    await server.end('SIGTERM');
    await installation.remove();
  }
}

const newPass = ({ db, provider }: Installation): Promise<unknown> =>
  db.transaction(provider, async (tx) => {
    const category = (await tx.one<{ id: number }>(
      sql`INSERT INTO membership_category (provider_id, name) VALUES (${provider}, 'Passes') RETURNING id`,
    ))!;
    const pass = (await tx.one<{ id: number }>(sql`
      INSERT INTO membership (provider_id, type, name, category_id, one_time_fee_minor, visible_to_customers, purchasable_only_by_provider, new_customers_only,
        allow_repeat_purchases, allotment_types)
      VALUES (${provider}, 'pack', ${PASS}, ${category.id}, 18000, true, false, false, true, '{event}') RETURNING id`))!;
    await tx.run(sql`INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
      VALUES (${provider}, ${pass.id}, 'pack', 'total', 10)`);
  });

/** Previews and imports both files, one after the other; returns the seconds of each. */
async function moved(
  installation: Installation,
  server: Served,
  who: string,
  people: number,
): Promise<{ check: number; run: number }> {
  const each = (line: (i: number) => string) => Array.from({ length: people }, (_, i) => line(i));
  const files = [
    [
      'Client ID,Last Name,First Name,Email,Birthday',
      ...each((i) => `${who}${i},No ${i},Person,${who}${i}@example.com,${(i % 12) + 1}/${(i % 28) + 1}/1985`),
    ],
    [
      'Client ID,Pricing Option,Activation Date,Expiration Date,Sessions Remaining',
      ...each((i) => `${who}${i},${PASS},1/31/2026,12/31/2099,4`),
    ],
  ];
  const took = { check: 0, run: 0 };
  for (const lines of files) {
    const file = Buffer.from(`${lines.join('\n')}\n`).toString('base64');
    const { id } = await ask(installation, server, 'POST', '', { file });
    for (const how of ['check', 'run'] as const) {
      const began = performance.now();
      await ask(installation, server, 'POST', `/${id}/${how}`);
      const end = how === 'check' ? 'checked' : 'complete';
      const done = await until(`the file is ${end}`, () => ended(installation, server, id, end), PATIENCE_MS);
      took[how] += (performance.now() - began) / 1000;
      if (done.created_count !== people) throw new Error(`${done.created_count} of ${people} rows are created`);
    }
  }
  return took;
}

async function ended(installation: Installation, server: Served, id: number, status: string): Promise<any> {
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const found = await ask(installation, server, 'GET', `/${id}`);
  return found.status === status && found;
}

async function ask(
  { token }: Installation,
  { url }: Served,
  method: string,
  path: string,
  body?: object,
): Promise<any> {
  const answer = await fetch(`${url}/api/v2/imports${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} /imports${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Returns the errors among the measured people. */
async function wrong({ db, provider }: Installation, people: number): Promise<number> {
  const found = await db.transaction(provider, (tx) =>
    tx.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM (
        SELECT c.id FROM customer c
          JOIN customer_membership m ON m.provider_id = c.provider_id AND m.customer_id = c.id
          JOIN entitlement_entry e ON e.provider_id = m.provider_id AND e.customer_membership_id = m.id
        WHERE c.provider_id = ${provider} AND c.email LIKE 'moved%@example.com'
        GROUP BY c.id HAVING count(*) = 1 AND sum(e.amount) = -6) right_ones`),
  );
  return people - found!.n;
}
