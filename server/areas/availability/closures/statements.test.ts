import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside } from '../../../test/storm.ts';
import { StatementCount } from '../../../test/statement-count.ts';
import { closedDates } from './index.ts';
import { closeDays } from '../../../test/worlds/closure-world.ts';
import { book, newCustomers, newEvent, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const count = new StatementCount();
let world: World;
before(async () => {
  world = await startWorld();
});
after(async () => {
  count.stop();
  await world.close();
});

/** Creates a day with so many events, an hour each, with two bookings. */
async function busyDay(date: string, events: number) {
  const venue = await newVenue(world);
  const offering = await newOffering(world);
  const customers = await newCustomers(world, 2);
  for (let hour = 0; hour < events; hour++) {
    const at = (minutes: string) => `${date}T${String(hour).padStart(2, '0')}:${minutes}`;
    const { id } = await newEvent(world, { venue, offering }, { starts_at: at('00'), ends_at: at('45') });
    for (const customer of customers) await book(world, id, customer);
  }
  return { dates: [date], venues: [venue] };
}

const preview = (body: object) => async () => {
  const answer = await world.post('/business_closures/bulk_close?dry_run=true', {
    as: world.staff(['super_admin']),
    body,
  });
  assert.equal(answer.status, 200, answer.text);
};

/** A dry run shows how many people get which message: three statements find those of an event, and what came back. */
const TO_FORETELL = 3;

test('a day with many events is closed in as many statements as a day with one, apart from those that preview messages', async () => {
  const [one, many] = [await busyDay('2033-05-01', 1), await busyDay('2033-05-02', 12)];
  const [forOne, forMany] = [await count.fewest(preview(one)), await count.fewest(preview(many))];
  assert.ok(forMany <= forOne + 11 * TO_FORETELL, `${forOne} for one event, ${forMany} for twelve`);
});

test('reading closed dates is one statement, using the index on the days', async () => {
  const call = await seed(world, 'bulk_action');
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`INSERT INTO business_closure (provider_id, closure_date, bulk_action_id)
        SELECT ${world.harbour}, '2040-01-01'::date + n, ${call} FROM generate_series(0, 2999) n`,
    ),
  );
  const venue = await newVenue(world);
  await row(world, 'business_closure', { closure_date: '2041-01-02', venue_id: venue, bulk_action_id: call });
  // Before the statistics include them, both indexes look equally good.
  const owner = await beside(world.databaseUrl);
  await owner.query('ANALYZE business_closure').finally(() => owner.end());
  await world.work(world.harbour, async (work) => {
    const asked = { venues: [venue], from: '2041-01-01', to: '2041-01-03' };
    assert.equal((await closedDates(work, asked)).length, 4);
    assert.equal(await count.fewest(() => closedDates(work, asked)), 1);
    const plan = await work.tx.rows<Record<string, string>>(
      sql`EXPLAIN SELECT closure_date FROM business_closure
        WHERE provider_id = ${work.providerId} AND closure_date BETWEEN '2041-01-01'::date AND '2041-01-03'::date`,
    );
    const text = plan.map((line) => Object.values(line)[0]).join('\n');
    assert.match(text, /business_closure_once/, text);
  });
});

test('nothing is planned on a day while it is being closed', async () => {
  const offering = await newOffering(world);
  for (let round = 0; round < 8; round++) {
    const venue = await newVenue(world);
    const date = `2034-06-0${round + 1}`;
    const body = {
      name: 'Rowing',
      venue,
      offering_type: offering,
      starts_at: `${date}T10:00`,
      ends_at: `${date}T11:00`,
    };
    const plan = () => world.post('/events', { as: world.machine, body });
    const [first, , second, third] = await Promise.all([
      plan(),
      world.post('/business_closures/bulk_close', { as: world.machine, body: { dates: [date], venues: [venue] } }),
      plan(),
      plan(),
    ]);
    for (const { status, text } of [first, second, third]) assert.ok(status === 201 || status === 409, text);
    await closeDays(world, { dates: [`2035-06-0${round + 1}`], venues: [venue] });
    const { results } = (await world.get(`/events?venues=${venue}&status=active`, { as: world.machine })).body;
    assert.deepEqual(results, [], 'an event is on a closed day');
  }
});
