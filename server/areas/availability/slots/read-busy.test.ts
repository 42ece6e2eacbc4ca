import assert from 'node:assert/strict';
import pg from 'pg';
import { after, test } from 'node:test';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { newPractice, newRoom, type Practice } from '../../../test/worlds/slot-world.ts';
import { readBusy, type Busy, type BusyAsked, type BusyUse } from './read-busy.ts';
import { readHours } from '../hours/index.ts';
import { startWorld } from '../../../test/world.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const world = await startWorld();
/** Updates the statistics for the planner, as happens in a running installation within a minute. */
const owner = new pg.Client({ connectionString: world.databaseUrl });
await owner.connect();
const analyze = () => owner.query('ANALYZE event, event_instructor, blocked_time, availability_override');
after(async () => {
  await owner.end();
  await world.close();
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.parse('2034-05-01T00:00:00Z');
const h = (n: number) => FROM + n * HOUR;
const inWork = <T>(act: (work: Work) => Promise<T>) => world.work(world.harbour, act);

interface Planned {
  readonly start: number;
  readonly end: number;
  readonly before?: number;
  readonly after?: number;
  readonly active?: boolean;
}

/**
 * Creates events with one instructor in one room; epoch milliseconds, and minutes around. Returns their ids in the same
 * order.
 */
async function plan(
  { offering, venue }: Pick<Practice, 'offering' | 'venue'>,
  events: readonly Planned[],
  { instructor, room }: { instructor: number; room: number | null },
): Promise<number[]> {
  const column = <T>(of: (e: Planned) => T) => events.map(of);
  return inWork(async ({ tx }) => {
    const rows = await tx.rows<{ id: number }>(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, venue_room_id, name, timezone, starts_at, ends_at, local_starts_at, local_ends_at,
          buffer_before, buffer_after, status, cancelled_at)
        SELECT ${world.harbour}::bigint, ${offering}::bigint, ${venue}::bigint, ${room}::bigint, 'Planned', 'UTC', e.starts, e.ends, e.starts AT TIME ZONE 'UTC',
          e.ends AT TIME ZONE 'UTC', e.before, e.after, CASE WHEN e.active THEN 'active' ELSE 'cancelled' END, CASE WHEN NOT e.active THEN now() END
        FROM unnest(${column((e) => instant(e.start))}::timestamptz[], ${column((e) => instant(e.end))}::timestamptz[], ${column((e) => e.before ?? 0)}::int[],
          ${column((e) => e.after ?? 0)}::int[], ${column((e) => e.active ?? true)}::boolean[]) WITH ORDINALITY AS e (starts, ends, before, after, active, n)
        ORDER BY e.n RETURNING id`);
    const ids = rows.map(({ id }) => id);
    await tx.run(sql`INSERT INTO event_instructor (provider_id, event_id, instructor_id)
      SELECT ${world.harbour}, e, ${instructor}::bigint FROM unnest(${ids}::bigint[]) e`);
    return ids;
  });
}

const idsOf = (uses: readonly BusyUse[] = []) => uses.map(({ event }) => event).toSorted();

const eventsOf = ({ instructors, rooms }: Busy) =>
  [instructors, rooms].map((of) => [...of].map(([id, uses]) => [id, idsOf(uses)]).toSorted());

/** Counts the pages that the statements of some work read, in memory or not. */
const pagesOf = (act: (work: Pick<Work, 'tx' | 'providerId'>) => Promise<unknown>): Promise<number> =>
  inWork(async ({ tx, providerId }) => {
    let pages = 0;
    const rows = async (statement: Sql) => {
      const [{ 'QUERY PLAN': plans }] = await tx.rows<{ 'QUERY PLAN': any }>(
        sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
      );
      pages += plans[0].Plan['Shared Hit Blocks'] + plans[0].Plan['Shared Read Blocks'];
      return [];
    };
    await act({ tx: { rows } as never, providerId });
    return pages;
  });

test('the pages read for some days do not grow with history: with ten times as many bookings, they are at most 1.5 times as many', async () => {
  const practice = await newPractice(world, { instructors: 2, zone: 'UTC' });
  const rooms = [await newRoom(world, practice.venue), await newRoom(world, practice.venue)];
  const add = async (first: number, last: number) => {
    for (const [i, instructor] of practice.instructors.entries()) {
      const events = Array.from({ length: last - first }, (_, n) => {
        // Both have the same month, with as much growth after it as before it.
        const start = FROM + (first + n) * 6 * HOUR * ((first + n) % 2 ? 1 : -1);
        return { start, end: start + HOUR, after: 30 };
      });
      await plan(practice, events, { instructor, room: rooms[i] });
    }
  };
  const asked: BusyAsked = { instructors: practice.instructors, rooms, from: FROM, to: FROM + 10 * DAY };
  const look = async () => ({
    instructors: await pagesOf((work) => readBusy(work, { ...asked, rooms: [] })),
    rooms: await pagesOf((work) => readBusy(work, { ...asked, instructors: [] })),
  });
  await add(0, 200);
  await analyze();
  const few = await look();
  const found = eventsOf(await inWork((work) => readBusy(work, asked)));
  await add(200, 2000);
  await analyze();
  const many = await look();
  assert.deepEqual(eventsOf(await inWork((work) => readBusy(work, asked))), found);
  assert.ok(few.instructors > 0 && few.rooms > 0);
  assert.ok(
    many.instructors <= few.instructors * 1.5,
    `instructors: ${few.instructors} pages, then ${many.instructors}`,
  );
  assert.ok(many.rooms <= few.rooms * 1.5, `rooms: ${few.rooms} pages, then ${many.rooms}`);
});

test('nor do they grow with the number of hours: other hours, and blocked times of other days, are not read', async () => {
  const { instructors, offering, venue } = await newPractice(world, { zone: 'UTC' });
  const look = () =>
    pagesOf((work) => readHours(work, { offeringType: offering, instructors, from: '2034-05-01', to: '2034-05-31' }));
  const block = (first: number, last: number) =>
    inWork(({ tx }) =>
      tx.all([
        sql`INSERT INTO blocked_time (provider_id, instructor_id, date, blocked_times)
          SELECT ${world.harbour}, ${instructors[0]}, '2034-05-31'::date - n, '[{"start": "12:00", "end": "13:00"}]' FROM generate_series(${first}::int, ${last}::int) n`,
        sql`INSERT INTO blocked_time (provider_id, venue_id, date, blocked_times)
          SELECT ${world.harbour}, ${venue}, '2034-05-31'::date - n, '[{"start": "12:00", "end": "13:00"}]' FROM generate_series(${first}::int, ${last}::int) n`,
        sql`INSERT INTO availability_override (provider_id, availability_schedule_id, date, availability)
          SELECT ${world.harbour}, s.id, '2034-05-31'::date - n, '[]' FROM availability_schedule s, generate_series(${first}::int, ${last}::int) n
          WHERE s.provider_id = ${world.harbour} AND s.instructor_id = ${instructors[0]}`,
      ]),
    );
  await block(0, 99);
  await analyze();
  const few = await look();
  await block(100, 999);
  await analyze();
  const many = await look();
  assert.ok(few > 0);
  assert.ok(many <= few * 1.5, `${few} pages, then ${many}`);
});

test('uses are found wherever they begin and end, with the time kept free around them, and not if they only touch', async () => {
  const practice = await newPractice(world, { zone: 'UTC' });
  const room = await newRoom(world, practice.venue);
  const [instructor] = practice.instructors;
  const cases: readonly (Planned & { found: boolean })[] = [
    { start: h(-90), end: h(-80), found: false },
    { start: h(-10), end: h(-2), after: 120, found: false },
    { start: h(0), end: h(1), found: true },
    { start: h(2), end: h(3), before: 30, after: 30, found: true },
    { start: h(4), end: h(5), active: false, found: false },
    { start: h(30), end: h(31), before: 6 * 60, found: false },
    { start: h(32), end: h(40), found: false },
  ];
  const ids = await plan(practice, cases, { instructor, room });
  const look = async (from: number, to: number, without?: number) => {
    const busy = await inWork((work) =>
      readBusy(work, { instructors: [instructor], rooms: [room], from, to, without }),
    );
    assert.deepEqual(idsOf(busy.rooms.get(room)), idsOf(busy.instructors.get(instructor)));
    return idsOf(busy.rooms.get(room));
  };
  const expected = ids.filter((_, i) => cases[i].found);
  assert.deepEqual(await look(h(0), h(24)), expected);
  assert.deepEqual(await look(h(0), h(24), expected[0]), expected.slice(1));
  // One moment more on either side reaches the use that keeps two hours free, and the one that keeps six.
  assert.deepEqual(await look(h(0) - 1, h(24) + 1), [ids[1], ...expected, ids[5]].toSorted());
  // In the middle of a long use, and in the time kept free before one.
  assert.deepEqual(await look(h(-85), h(-84)), [ids[0]]);
  assert.deepEqual(await look(h(25), h(26)), [ids[5]]);
  assert.deepEqual(await look(h(10), h(20)), []);
});
