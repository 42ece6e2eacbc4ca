import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closedDates, closedOn } from './index.ts';
import { newVenue, row } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let action: number;
before(async () => {
  world = await startWorld();
  action = await seed(world, 'bulk_action');
});
after(() => world.close());

const close = (closure_date: string, venue_id: number | null = null) =>
  row(world, 'business_closure', { closure_date, venue_id, bulk_action_id: action });

const asked = (venues: number[] | undefined, from: string, to: string) =>
  world.work(world.harbour, (work) => closedDates(work, { venues, from, to }));

test('a venue is closed on its own closed days and on those of the whole business', async () => {
  const [pier, dock] = [await newVenue(world), await newVenue(world)];
  await close('2031-01-01');
  await close('2031-01-02', pier);
  await close('2031-01-03', dock);
  const all = { venue: null, date: '2031-01-01' };
  assert.deepEqual(await asked([pier], '2031-01-01', '2031-01-31'), [all, { venue: pier, date: '2031-01-02' }]);
  assert.deepEqual(await asked([dock], '2031-01-01', '2031-01-31'), [all, { venue: dock, date: '2031-01-03' }]);
  assert.equal((await asked(undefined, '2031-01-01', '2031-01-31')).length, 3);
  assert.deepEqual(await asked([pier], '2031-01-02', '2031-01-02'), [{ venue: pier, date: '2031-01-02' }]);
  const closed = (venue: number, date: string) =>
    world.work(world.harbour, ({ tx }) =>
      tx.one<{ is: boolean }>(sql`SELECT ${closedOn(sql`${venue}::bigint`, sql`${date}::date`)} AS is`),
    );
  assert.deepEqual(await Promise.all(['2031-01-01', '2031-01-02', '2031-01-03'].map((date) => closed(pier, date))), [
    { is: true },
    { is: true },
    { is: false },
  ]);
});

test('the database itself allows only one closure of a venue, or of all, on a day', async () => {
  const venue = await newVenue(world);
  await close('2031-02-01');
  await close('2031-02-01', venue);
  await assert.rejects(close('2031-02-01'), /business_closure_once/);
  await assert.rejects(close('2031-02-01', venue), /business_closure_once/);
});

test('everybody can find the closed days of a venue; only staff see what was cancelled', async () => {
  const [venue, other] = [await newVenue(world), await newVenue(world)];
  const [mine, all] = [await close('2031-03-01', venue), await close('2031-03-02')];
  await close('2031-03-01', other);
  const path = `/business_closures?venue=${venue}&closure_date_gte=2031-03-01&closure_date_lte=2031-03-31`;
  for (const as of [world.machine, world.customer(await world.newCustomer()), undefined]) {
    const { body } = await world.get(path, { as });
    assert.deepEqual(
      body.results.map((c: any) => [c.id, c.closure_date, c.venue]),
      [
        [mine, '2031-03-01', venue],
        [all, '2031-03-02', null],
      ],
    );
    assert.equal(body.results[0].bulk_action, as === world.machine ? action : null);
    assert.equal(body.results[0].cancelled_events, as === world.machine ? 0 : null);
  }
});

test('a request that is repeated with its key closes once', async () => {
  const body = { dates: ['2031-04-01'], venues: [await newVenue(world)] };
  const ask = { as: world.machine, body, headers: { 'idempotency-key': 'close-once' } };
  const one = await world.post('/business_closures/bulk_close', ask);
  const two = await world.post('/business_closures/bulk_close', ask);
  assert.deepEqual([one.status, two.status, two.body.id], [200, 200, one.body.id], two.text);
});

test('a venue shows everybody its closed days, from today in its own zone', async () => {
  const at = await startWorld();
  try {
    // 1 July in Honolulu, 2 July in Kiritimati.
    at.setNow(Date.parse('2026-07-01T21:00Z'));
    const [behind, ahead] = [
      await newVenue(at, { timezone: 'Pacific/Honolulu' }),
      await newVenue(at, { timezone: 'Pacific/Kiritimati' }),
    ];
    const call = await seed(at, 'bulk_action');
    for (const [closure_date, venue_id] of [
      ['2026-06-30', null],
      ['2026-07-01', null],
      ['2026-07-02', null],
      ['2026-07-02', ahead],
      ['2026-07-05', behind],
    ])
      await row(at, 'business_closure', { closure_date, venue_id, bulk_action_id: call });
    const shown = async (venue: number, as?: string) =>
      (await at.get(`/venues/${venue}?expand=closed_dates`, { as })).body.closed_dates;
    assert.deepEqual(await shown(behind), ['2026-07-01', '2026-07-02', '2026-07-05']);
    assert.deepEqual(await shown(ahead), ['2026-07-02']);
    assert.deepEqual(await shown(ahead, at.machine), ['2026-07-02']);
    assert.equal((await at.get(`/venues/${ahead}`)).body.closed_dates, undefined);
  } finally {
    await at.close();
  }
});
