import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createApp, type App } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { SECRET_KEY } from '../server/test/secret-key.ts';
import { connectTo } from '../server/kernel/base/db/connections/connect.ts';
import { Database } from '../server/kernel/base/db/database.ts';
import { fill, sql, statement } from '../server/kernel/base/db/sql.ts';
import { freshDatabase } from '../server/test/database.ts';
import { checkAnswers, checkDatabase, checkFeed } from './city/day-audit.ts';
import { liveTheDay, type Caller, type DayResult } from './city/day.ts';
import { people, wishes } from './city/plan.ts';
import { buildCity, type City } from './city/schedule.ts';
import { clockFile, TestClock } from '../server/test/clock.ts';

const HEADING =
  '_id,Location ID,Course_ID,Course Title,Section,Age Min,Age Max,Date Range,Start Hour,Start Minute,End Hour,End Min,First Date,Last Date,DayOftheWeek';
const DAY_MS = 86_400_000;
const PLACES = 4;

/** 60 sessions of one day: six venues, ten hours each, every third for adults only. */
const sessions = Array.from({ length: 60 }, (_, i) => {
  const [venue, hour] = [i % 6, 9 + Math.floor(i / 6)];
  return [
    i,
    100 + venue,
    5000 + i,
    `Course ${i % 7}`,
    'Swim',
    i % 3 === 0 ? 18 : 'None',
    'None',
    '',
    hour,
    0,
    hour + 1,
    0,
    '2026-01-07',
    '2026-01-07',
    'Wednesday',
  ].join(',');
});

let database: { url: string; drop(): Promise<void> };
let db: Database;
let city: City;
let app: App;
let caller: Caller;
let result: DayResult;
let promoted: number;

before(async () => {
  database = await freshDatabase();
  db = new Database({ url: database.url, size: 2 });
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-day-'));
  writeFileSync(join(folder, 'city.csv'), [HEADING, ...sessions].join('\n'));
  city = await buildCity(db, join(folder, 'city.csv'), PLACES);
  rmSync(folder, { recursive: true });
  const config = readConfig({ HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', SECRET_KEY, ROLE: 'all' });
  const clock = new TestClock({ file: clockFile(database.url) });
  clock.run(city.busiest);
  app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: database.url,
    log: pino({ level: 'silent' }),
    now: () => clock.now,
  });
  caller = { url: await app.listen(), token: city.token };
  result = await liveTheDay(caller, {
    customers: 50,
    bookings: 200,
    seed: 7,
    connections: 8,
    from: city.busiest,
    to: city.busiest + 2 * DAY_MS,
  });
});
after(async () => {
  await app.close();
  await db.close();
  await database.drop();
});

test('after a crowded day every booking and every waitlist position is as the responses said', async () => {
  promoted = await checkAnswers(caller, result);
  await checkDatabase(db, city.provider, result, promoted);
});

test('the day covers everything: full events, age limits, waitlists, cancellations, promotions, visits', () => {
  assert.equal(city.summary.events.made, 60);
  const outcome = new Set(result.errands.map((e) => e.outcome));
  for (const kind of ['booked', 'cancelled', 'attended', 'refused', 'waiting'] as const)
    assert.ok(outcome.has(kind), `nobody is ${kind}`);
  assert.ok(promoted > 0, 'nobody was promoted');
  assert.ok(result.refusals.event_full > 0 && result.refusals.age_too_low > 0, JSON.stringify(result.refusals));
});

test('the feed of the day is numbered without a gap', async () => {
  const outcome = result.errands.filter((e) =>
    ['booked', 'attended', 'cancelled', 'waiting', 'left'].includes(e.outcome),
  ).length;
  assert.ok((await checkFeed(db, city.provider, 20_000)) >= outcome);
});

test('the audit detects a lost booking, a promotion out of order, a wrong counter and a gap in the feed', async () => {
  // Triggers prevent a wrong counter.
  const owner = await connectTo(database.url);
  await owner.query('SET session_replication_role = replica');
  const change = async (fragment: ReturnType<typeof sql>) => {
    const { text, holes } = statement(fragment);
    await owner.query(text, fill(holes, undefined));
  };
  const p = city.provider;
  const faults: [ReturnType<typeof sql>, ReturnType<typeof sql>, () => Promise<unknown>, RegExp][] = [
    [
      sql`UPDATE attendance SET status = 'no_show'
        WHERE provider_id = ${p} AND id = ${result.errands.find((e) => e.outcome === 'booked')!.attendance!}`,
      sql`UPDATE attendance SET status = 'registered' WHERE provider_id = ${p} AND status = 'no_show'`,
      () => checkAnswers(caller, result),
      /got "booked"/,
    ],
    [
      sql`UPDATE feed_item SET object_id = -object_id WHERE provider_id = ${p} AND kind = 'waitlist.promoted'`,
      sql`UPDATE feed_item SET object_id = -object_id WHERE provider_id = ${p} AND object_id < 0`,
      () => checkDatabase(db, p, result, promoted),
      /passed by|promotions were recorded/,
    ],
    [
      sql`UPDATE event SET waiting_count = waiting_count + 1 WHERE provider_id = ${p}`,
      sql`UPDATE event SET waiting_count = waiting_count - 1 WHERE provider_id = ${p}`,
      () => checkDatabase(db, p, result, promoted),
      /waiting_count/,
    ],
    [
      sql`UPDATE feed_item SET seq = seq + 100000 WHERE provider_id = ${p} AND seq = 5`,
      sql`UPDATE feed_item SET seq = 5 WHERE provider_id = ${p} AND seq > 100000`,
      () => checkFeed(db, p, 5000),
      /numbered from/,
    ],
  ];
  for (const [fault, remedy, audit, finding] of faults) {
    await change(fault);
    await assert.rejects(audit, finding);
    await change(remedy);
    await audit();
  }
  await owner.end();
});

test('the same seed gives the same wishes and people, another seed gives others, and no wish repeats', () => {
  const made = wishes(300, 40, 30, 5);
  assert.deepEqual(wishes(300, 40, 30, 5), made);
  assert.notDeepEqual(wishes(300, 40, 30, 6), made);
  assert.equal(new Set(made.map(({ customer, event }) => `${customer}:${event}`)).size, 300);
  assert.deepEqual(people(3, 5, '2026-01-07'), people(3, 5, '2026-01-07'));
  assert.throws(() => wishes(700, 40, 30, 5), /too few/);
});
