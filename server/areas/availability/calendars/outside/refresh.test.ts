import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beside } from '../../../../test/storm.ts';
import { externalBusy } from './busy.ts';
import { failingReader } from './notify-owner.ts';
import { iso, newInstructor } from '../../../../test/schedule-world.ts';
import { refreshDue } from './refresh.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** An external calendar, with the requests it received and its response. */
class Elsewhere {
  readonly asked: { path: string; headers: http.IncomingHttpHeaders }[] = [];
  answer: (path: string, headers: http.IncomingHttpHeaders) => Answer = () => ({ status: 404 });
  readonly #server = http.createServer((request, response) => {
    this.asked.push({ path: request.url!, headers: request.headers });
    const { status, headers, body } = this.answer(request.url!, request.headers);
    response.writeHead(status, headers).end(body);
  });
  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }
  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

let world: World;
let elsewhere: Elsewhere;
let start: number;
before(async () => {
  world = await startWorld({ own: true, env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  elsewhere = await new Elsewhere().listen();
  world.closing(elsewhere);
  start = Math.ceil(world.now / DAY) * DAY;
});
after(() => world.close());
beforeEach(() => world.setNow(start));

const refresh = async (): Promise<void> => {
  const { app } = world;
  const quiet = { info() {}, warn: (o: object) => assert.fail(JSON.stringify(o)), error() {} };
  const tenants = { of: async (id: number) => ({ providerId: id, zone: 'America/Toronto', currency: 'USD' }) };
  const own = {
    db: app.db,
    registry: app.registry,
    installation: app.installation,
    tenants: tenants as never,
    now: () => world.now,
    log: quiet,
  };
  while (await refreshDue(own));
};

const stamp = (epochMs: number): string => iso(epochMs).replaceAll(/[-:]|\.\d+/g, '');
const calendar = (events: readonly (readonly [uid: string, at: number, ...lines: string[]])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'X-WR-CALNAME:Private',
    ...events.flatMap(([uid, at, ...lines]) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTART:${stamp(at)}`,
      'DURATION:PT1H',
      'SUMMARY:Dentist',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ].join('\r\n');

let nth = 0;
/** Creates an instructor who connected a calendar at an address of their own, and counts it as busy. */
async function connect(): Promise<{
  path: string;
  account: number;
  setting: number;
  instructor: number;
  staff: number;
  as: string;
}> {
  const { instructor, staff } = await newInstructor(world);
  const as = world.staff([], staff);
  const path = `/secret-${++nth}/basic.ics`;
  const made = await world.post('/external_calendars/accounts', { as, body: { url: elsewhere.url(path) } });
  assert.equal(made.status, 201, made.text);
  const setting = await world.post('/external_calendars/staff_calendar_settings', {
    as,
    body: {
      calendar_source_account: made.body.id,
      is_source_for_busy_periods: true,
      is_destination_for_service_events: false,
    },
  });
  assert.equal(setting.status, 201, setting.text);
  return { path, account: made.body.id, setting: setting.body.id, instructor, staff, as };
}

const settingOf = async ({ setting, as }: { setting: number; as: string }): Promise<any> =>
  (await world.get(`/external_calendars/staff_calendar_settings/${setting}`, { as })).body;

/** Returns the hours from the start of the test at which the instructor is busy. */
async function busy(instructor: number): Promise<number[]> {
  const rows = await world.app.db.looking(world.harbour, (tx) =>
    tx.rows<{ at: string }>(
      sql`
        SELECT extract(epoch
          FROM lower(b.during))::text
            AS at FROM (${externalBusy(
              world.harbour,
              sql`${[instructor]}::bigint[]`,
              sql`
              '-infinity'::timestamptz`,
              sql`'infinity'::timestamptz`,
            )}) b ORDER BY 1`,
    ),
  );
  return rows.map(({ at }) => (Number(at) * 1000 - start) / HOUR);
}

const rowIds = async (account: number): Promise<number[]> =>
  (
    await world.app.db.looking(world.harbour, (tx) =>
      tx.rows<{ id: number }>(
        sql`SELECT e.id FROM external_calendar_event e
          JOIN external_calendar c ON c.provider_id = e.provider_id AND c.id = e.calendar_id
            WHERE e.provider_id = ${world.harbour} AND c.account_id = ${account} ORDER BY e.source_event_id`,
      ),
    )
  ).map(({ id }) => id);

test('a connected calendar is read, and its events keep its owner from being booked', async () => {
  const mine = await connect();
  assert.deepEqual(
    [(await settingOf(mine)).calendar_ready, (await settingOf(mine)).events_ready, await busy(mine.instructor)],
    [false, false, []],
  );
  elsewhere.answer = () => ({
    status: 200,
    body: calendar([
      ['a', start + 9 * HOUR],
      ['b', start + 14 * HOUR, 'TRANSP:TRANSPARENT'],
    ]),
  });
  await refresh();
  const setting = await settingOf(mine);
  assert.deepEqual(
    [setting.calendar_ready, setting.events_ready, setting.is_active, setting.last_error],
    [true, true, true, null],
  );
  assert.deepEqual(await busy(mine.instructor), [9]);
  await world.patch(`/external_calendars/staff_calendar_settings/${mine.setting}`, {
    as: mine.as,
    body: { constrain_only_busy: false },
  });
  assert.deepEqual(await busy(mine.instructor), [9, 14]);
});

test('it is read again every quarter of an hour, only if it changed, and unchanged events keep their rows', async () => {
  const mine = await connect();
  let version = 1;
  elsewhere.answer = (_, headers) =>
    headers['if-none-match'] === `"${version}"`
      ? { status: 304 }
      : {
          status: 200,
          headers: { etag: `"${version}"`, 'last-modified': 'Mon, 02 Nov 2026 10:00:00 GMT' },
          body: calendar([['a', start + 9 * HOUR], ...(version === 1 ? [] : [['b', start + 11 * HOUR] as const])]),
        };
  await refresh();
  const [first] = await rowIds(mine.account);
  const asked = () => elsewhere.asked.filter(({ path }) => path === mine.path);
  assert.equal(asked().length, 1);
  world.setNow(start + 10 * 60_000);
  await refresh();
  assert.equal(asked().length, 1, 'not due yet');
  world.setNow(start + 20 * 60_000);
  await refresh();
  assert.equal(asked().length, 2);
  const { headers } = asked()[1];
  assert.deepEqual([headers['if-none-match'], headers['if-modified-since']], ['"1"', 'Mon, 02 Nov 2026 10:00:00 GMT']);
  version = 2;
  world.setNow(start + 40 * 60_000);
  await refresh();
  assert.deepEqual(await busy(mine.instructor), [9, 11]);
  assert.equal((await rowIds(mine.account))[0], first);
});

test('an event that was moved or removed elsewhere is moved and removed here', async () => {
  const mine = await connect();
  elsewhere.answer = () => ({
    status: 200,
    body: calendar([
      ['a', start + 9 * HOUR],
      ['b', start + 11 * HOUR],
    ]),
  });
  await refresh();
  elsewhere.answer = () => ({ status: 200, body: calendar([['a', start + 10 * HOUR]]) });
  world.setNow(start + 20 * 60_000);
  await refresh();
  assert.deepEqual(await busy(mine.instructor), [10]);
});

test('the window moves on: an unchanged calendar is expanded again after a week', async () => {
  const mine = await connect();
  elsewhere.answer = (_, headers) =>
    headers['if-none-match']
      ? { status: 304 }
      : { status: 200, headers: { etag: '"same"' }, body: calendar([['a', start + 401 * DAY]]) };
  await refresh();
  assert.deepEqual(await busy(mine.instructor), []);
  world.setNow(start + 8 * DAY);
  await refresh();
  assert.deepEqual(await busy(mine.instructor), [401 * 24]);
});

// Guards against: A calendar from outside that attacks whoever reads it, or leads into the internal network
test('a failed response is shown, and what was known before still counts', async () => {
  const mine = await connect();
  elsewhere.answer = () => ({ status: 200, body: calendar([['a', start + 9 * HOUR]]) });
  await refresh();
  const causes: [Answer, RegExp][] = [
    [{ status: 404 }, /no calendar at the address any more/],
    [{ status: 401 }, /asks for a password/],
    [{ status: 500 }, /status 500/],
    [{ status: 200, body: '<html>Sign in</html>' }, /doesn’t return a calendar/],
    [{ status: 302, headers: { location: '/elsewhere' } }, /redirects more than 3 times/],
    [{ status: 302, headers: { location: 'http://10.0.0.1/internal' } }, /not on the public internet/],
    [{ status: 200, body: `BEGIN:VCALENDAR\r\n${'X'.repeat(6 * 1024 * 1024)}` }, /larger than 5 MB/],
  ];
  let days = 0;
  for (const [answer, expected] of causes) {
    elsewhere.answer = () => answer;
    world.setNow(start + ++days * 0.3 * DAY);
    await refresh();
    const { last_error: error, calendar_ready: known, events_ready: ready } = await settingOf(mine);
    assert.match(error, expected);
    assert.ok(!error.includes(mine.path), 'the address is a secret');
    assert.deepEqual([known, ready], [true, false]);
    assert.deepEqual(await busy(mine.instructor), [9]);
  }
  elsewhere.answer = () => ({ status: 200, body: calendar([['a', start + 9 * HOUR]]) });
  world.setNow(start + 3 * DAY);
  await refresh();
  assert.deepEqual([(await settingOf(mine)).last_error, (await settingOf(mine)).events_ready], [null, true]);
});

test('the owner is shown what can’t be read in a calendar, and the rest counts', async () => {
  const mine = await connect();
  const manager = world.staff(['manage_events']);
  elsewhere.answer = () => ({
    status: 200,
    body: calendar([
      ['a', start + 9 * HOUR, 'RRULE:FREQ=WHENEVER'],
      ['b', start + 11 * HOUR],
    ]),
  });
  await refresh();
  assert.deepEqual(await busy(mine.instructor), [9, 11]);
  const of = (as: string) => world.get(`/external_calendars/accounts/${mine.account}/calendars`, { as });
  const [{ warnings, last_error: error }] = (await of(mine.as)).body.results;
  assert.deepEqual([error, warnings.length], [null, 1]);
  assert.match(warnings[0], /^“Dentist” of .* repetition can’t be read/);
  assert.deepEqual((await settingOf(mine)).warnings, warnings);
  // Titles are visible to the owner only.
  assert.deepEqual((await of(manager)).body.results[0].warnings, []);
  elsewhere.answer = () => ({ status: 200, body: calendar([['b', start + 11 * HOUR]]) });
  world.setNow(start + HOUR);
  await refresh();
  assert.deepEqual((await settingOf(mine)).warnings, []);
});

test('a calendar that can’t be stored counts as one that can’t be read', async () => {
  const mine = await connect();
  const owner = await beside(world.databaseUrl);
  await owner.query(
    `ALTER TABLE external_calendar_event ADD CONSTRAINT no_storm CHECK (title <> 'Storm' OR title IS NULL)`,
  );
  try {
    elsewhere.answer = () => ({
      status: 200,
      body: calendar([['a', start + 9 * HOUR]]).replace('Dentist', 'Storm'),
    });
    await refresh();
    const { last_error: error, calendar_ready: ready } = await settingOf(mine);
    assert.deepEqual([error, ready], ['The calendar was read, but what it says could not be stored.', false]);
  } finally {
    await owner.query('ALTER TABLE external_calendar_event DROP CONSTRAINT no_storm');
    await owner.end();
  }
  world.setNow(start + HOUR);
  await refresh();
  assert.deepEqual([(await settingOf(mine)).last_error, await busy(mine.instructor)], [null, [9]]);
});

test('a redirect to the calendar is followed', async () => {
  const mine = await connect();
  elsewhere.answer = (path) =>
    path === '/moved.ics'
      ? { status: 200, body: calendar([['a', start + 9 * HOUR]]) }
      : { status: 301, headers: { location: '/moved.ics' } };
  await refresh();
  assert.deepEqual(await busy(mine.instructor), [9]);
});

test('after three days of failures its owner is notified once, after thirty its busy times no longer count', async () => {
  const mine = await connect();
  elsewhere.answer = () => ({ status: 200, body: calendar([['a', start + 40 * DAY]]) });
  await refresh();
  elsewhere.answer = () => ({ status: 404 });
  const failing = async (): Promise<number> =>
    (
      await world.app.db.looking(world.harbour, (tx) =>
        tx.rows(
          sql`SELECT FROM feed_item WHERE provider_id = ${world.harbour} AND kind = 'external_calendar_account.failing'
            AND object_id = ${mine.account}`,
        ),
      )
    ).length;
  const told: number[] = [];
  for (const days of [1, 2, 3, 4.1, 5]) {
    world.setNow(start + days * DAY);
    await refresh();
    told.push(await failing());
  }
  assert.deepEqual(told, [0, 0, 0, 1, 1]);
  assert.equal((await settingOf(mine)).is_active, true);
  world.setNow(start + 32 * DAY);
  await refresh();
  assert.equal((await settingOf(mine)).is_active, false);
  assert.deepEqual(await busy(mine.instructor), []);
  elsewhere.answer = () => ({ status: 200, body: calendar([['a', start + 40 * DAY]]) });
  world.setNow(start + 33 * DAY);
  await refresh();
  assert.equal((await settingOf(mine)).is_active, true);
  assert.deepEqual(await busy(mine.instructor), [40 * 24]);
});

// Guards against: The address of a staff member's private calendar becomes known
test('the address is never shown, and is not in the audit', async () => {
  const mine = await connect();
  elsewhere.answer = () => ({ status: 200, body: calendar([]) });
  await refresh();
  for (const path of [
    '/external_calendars/accounts',
    `/external_calendars/accounts/${mine.account}`,
    `/external_calendars/accounts/${mine.account}/calendars`,
    '/audit_entries',
    '/feed_items?after=0',
  ])
    assert.ok(!(await world.get(path, { as: world.machine })).text.includes(`secret-${nth}`), path);
  const stored = await world.app.db.looking(world.harbour, (tx) =>
    tx.one<{ text: string }>(
      sql`SELECT string_agg(a::text, ' ') AS text FROM external_calendar_account a
        WHERE provider_id = ${world.harbour}`,
    ),
  );
  assert.ok(!stored!.text.includes('secret-'));
});

test('the email goes to the owner of the calendar, while it still can’t be read', async () => {
  const mine = await connect();
  const payload = { external_calendar_account: mine.account, staff: mine.staff };
  const item = { seq: 1_000_000 + mine.account, kind: 'external_calendar_account.failing', payload, occurredAt: start };
  const told = async () => {
    await world.work(world.harbour, (work) => failingReader.read(work, [item as never]));
    const { rows } = await world.app.db.looking(world.harbour, async (tx) => ({
      rows: await tx.rows<{ staff_id: number; text: string }>(
        sql`SELECT staff_id, text_part AS text FROM message
          WHERE provider_id = ${world.harbour} AND kind = 'external_calendar_failing' AND staff_id = ${mine.staff}`,
      ),
    }));
    return rows;
  };
  elsewhere.answer = () => ({ status: 200, body: calendar([]) });
  await refresh();
  assert.deepEqual(await told(), []);
  elsewhere.answer = () => ({ status: 404 });
  world.setNow(start + HOUR);
  await refresh();
  const [mail, ...more] = await told();
  assert.deepEqual([mail.staff_id, more.length], [mine.staff, 0]);
  assert.match(mail.text, /could not be read for three days/);
});
