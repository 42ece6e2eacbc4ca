/**
 * Reports as statements. In turns from change to change, all of them in `npm run test:all`: that the groups and the
 * count of a report agree with its rows under every filter.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { commandOf } from './read-report.ts';
import { countOf, groupsOf, pageOf, type Asked } from './statements.ts';
import { seed } from '../../../test/seeds.ts';
import { ownViewer } from '../../../kernel/work/access/viewer.ts';
import { REPORTS, TOTALS } from './catalogue/index.ts';
import { inTurns, rare } from '../../../test/rare.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { Report } from './report.ts';
import { START } from '../../../test/clock.ts';

/** Tables that the rows of reports come from. */
const MADE_OF = [
  'attendance',
  'course_session_attendance',
  'credit_movement',
  'customer_membership_hold',
  'gift_card',
  'invoice',
  'membership_strike',
  'referral',
  'store_order_item',
  'waiver',
  'waiver_agreement',
];
/** Reports on objects that no seed creates. */
const EMPTY = new Set(['content_views', 'customer_field_changes', 'discount_code_uses', 'sms_messages']);
/** Tables whose ids filters take. */
const IDS_OF = [
  'customer',
  'customer_membership',
  'event',
  'instructor',
  'invoice',
  'membership',
  'offering_type',
  'payment_processor',
  'waiver',
  'venue',
];
const ALL = { limit: 1_000_000, offset: 0, orders: [], after: 0 };

let world: World;
/** Ids of both businesses, so that filters match something, and could match too much. */
let ids: number[];
before(async () => {
  world = await startWorld();
  await fill(world.harbour);
  await fill(world.meadow);
  ids = [
    ...new Set(
      await world.app.db.acrossTenants('a test asks for ids of two businesses', async (tx) => {
        const found: number[] = [];
        for (const table of IDS_OF)
          found.push(
            ...(
              await tx.rows<{ id: number }>(
                sql`SELECT id FROM ${raw(table)} WHERE provider_id = ANY(${[world.harbour, world.meadow]}::bigint[])
                  ORDER BY id DESC LIMIT 50`,
              )
            ).map(({ id }) => id),
          );
        return found;
      }),
    ),
  ];
});
after(() => world.close());

async function fill(provider: number): Promise<void> {
  for (const resource of MADE_OF) await seed(world, resource, provider);
}

/**
 * Returns values for a filter in parsed form: all words, both booleans, ids of everything, and days before and after
 * everything.
 */
function valuesOf(name: string, schema: Record<string, any>): unknown[] {
  if (schema.enum) return schema.enum;
  if (schema.type === 'array') {
    if (schema.items.type === 'integer') return [ids];
    return schema.items.enum ? schema.items.enum.map((one: unknown) => [one]) : [[...ids.map(String), 'none']];
  }
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer') return [1, ids[0]];
  if (schema.format === 'date-time') return [Date.parse('2000-01-01T00:00:00Z'), Date.parse('2100-01-01T00:00:00Z')];
  if (schema.format === 'date') return ['2000-01-01', '2100-01-01'];
  return name.endsWith('timeframe') ? ['this_year', 'last_30_days', 'next_30_days'] : ['none'];
}

interface Asking {
  readonly name: string;
  readonly filters: Record<string, unknown>;
}

/** Returns each filter separately, together with everything that is left out by default. */
const askings = ({ filters, unless = {} }: Report): Asking[] => {
  const all = Object.fromEntries(Object.keys(unless).map((name) => [name, true]));
  // A report of certain days is queried for those of the seeds.
  const wide = { ...all, ...(filters.day_gte && { day_gte: addDays(wallAt(START, 'UTC').date, -1) }) };
  return [
    { name: 'no filter', filters: {} },
    { name: 'everything', filters: wide },
    ...Object.entries(filters)
      // The rows of a group are tested with the links of groups.
      .filter(([name]) => !(name in unless) && name !== 'group')
      .flatMap(([name, { field }]) =>
        valuesOf(name, field.spec.schema).map((value) => ({
          name: `${name}=${JSON.stringify(value).slice(0, 40)}`,
          filters: { ...(name.startsWith('day_') ? all : wide), [name]: value },
        })),
      ),
  ];
};

const askedAt = (report: Report, provider: number, filters: Record<string, unknown>): Asked => ({
  viewer: ownViewer(provider, 'test'),
  around: {
    now: Date.parse('2027-01-15T12:00:00Z'),
    zone: 'America/Toronto',
    ...(report.given && { given: report.given(filters, '2027-01-15') }),
  },
  filters,
});

/** Reads the rows of statements in one transaction. */
const read = (asked: Asked, statements: readonly Sql[]): Promise<(readonly (string | null)[])[][]> =>
  world.work(asked.viewer.providerId, async ({ tx }) =>
    (await tx.send(statements.map((one) => commandOf(one, { asked })))).map(({ rows }) => rows as never),
  );

/** Reads them as a role that sees the rows of every business. */
const readAmongAll = (asked: Asked, statements: readonly Sql[]): Promise<(readonly (string | null)[])[][]> =>
  world.app.db.acrossTenants('a test looks whether reports name their business', async (tx) => {
    await tx.run(sql`SELECT set_config('rollcall.provider_id', ${String(asked.viewer.providerId)}, true)`);
    return (await tx.send(statements.map((one) => commandOf(one, { asked })))).map(({ rows }) => rows as never);
  });

const groupsBy = (report: Report, asked: Asked, key: string): Sql =>
  groupsOf(report, asked, { by: [report.grouped!.by[key]], measures: [report.grouped!.measures.count], more: [] }, ALL);

const due = new Set(inTurns(REPORTS, 3));
// A report of groups has no rows of its own.
for (const report of REPORTS.filter((one) => !TOTALS.includes(one)))
  describe(`the report ${report.name}`, () => {
    test('has rows, so that the tests below are meaningful', async () => {
      const asked = askedAt(report, world.harbour, askings(report)[1].filters);
      const [[[count]]] = await read(asked, [countOf(report, asked)]);
      assert.equal(Number(count) > 0, !EMPTY.has(report.name), `${count} rows`);
    });

    (due.has(report) ? test : rare)(
      'has as many rows as it counts, and groups add up to them, under every filter',
      async () => {
        for (const { name, filters } of askings(report)) {
          const asked = askedAt(report, world.harbour, filters);
          // A join that multiplies rows counts each of them.
          const keys = Object.entries(report.grouped?.by ?? {}).flatMap(([key, { several }]) => (several ? [] : [key]));
          const sum = (key: string) =>
            sql`SELECT coalesce(sum(g.n), 0) FROM (${groupsBy(report, asked, key)}) AS g(k, n)`;
          const shown = sql`SELECT count(*) FROM (${pageOf(report, asked, Object.values(report.columns), ALL)}) p`;
          const [count, ...others] = (await read(asked, [countOf(report, asked), shown, ...keys.map(sum)])).map(
            (rows) => rows[0][0],
          );
          for (const [n, found] of others.entries())
            assert.equal(found, count, `${name}: ${n === 0 ? 'all columns' : keys[n - 1]}`);
        }
      },
    );

    test('has the same columns, filters and groups without the other business', async () => {
      for (const { name, filters } of askings(report)) {
        const asked = askedAt(report, world.harbour, filters);
        // Columns that a filter doesn't affect are checked once.
        const by = name === 'everything' ? Object.keys(report.grouped?.by ?? {}) : [];
        const groups = by.map((key) => groupsBy(report, asked, key));
        const statements = [pageOf(report, asked, Object.values(report.columns), ALL), ...groups];
        // Read as a role that sees every business: then only the report itself keeps them apart.
        const [alone, among] = [await read(asked, statements), await readAmongAll(asked, statements)];
        assert.deepEqual(among, alone, name);
      }
    });
  });
