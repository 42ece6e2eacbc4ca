import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { bookJob } from './keep-booking.ts';
import { bookedDates, datesOf, newWeekly, reserve } from './test/world.ts';
import { newCustomers, seats } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { times } from '../../../test/storm.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('several reservations for the last places fill each date to its capacity, and the other customers are notified', async () => {
  const customers = await newCustomers(world, 5);
  const weekly = await newWeekly(world, { weeks: 3, max_occupancy: 2 });
  const made = await times(5, (n) => reserve(world, { customer: customers[n], event: weekly.first }));
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201, 201, 201],
  );
  const dates = await Promise.all(made.map(({ body }) => datesOf(world, body.id)));
  for (const date of weekly.dates) {
    const said = dates.flatMap((mine) => mine.filter((one) => one.startsWith(date)));
    assert.equal(said.filter((one) => one === `${date} booked`).length, 2);
    assert.equal(said.filter((one) => one === `${date} unavailable event_full`).length, 3);
  }
  assert.deepEqual(await seats(world, weekly.first), { attending: 2, held: 0, waiting: 0, booked: 2 });
});

test('reservations for the same two weeks in opposite order never deadlock', async () => {
  const [one, two] = [await newWeekly(world, { weeks: 3 }), await newWeekly(world, { weeks: 3 })];
  for (let round = 0; round < 3; round++) {
    const customers = await newCustomers(world, 4);
    const answers = await Promise.all(
      customers.map((customer, n) => reserve(world, { customer, event: (n % 2 ? one : two).first, times: 1 })),
    );
    const ended = await Promise.all(
      answers.map(({ body }, n) =>
        n < 2
          ? world.post(`/recurring_reservations/${body.id}/end`, { as: world.machine, body: {} })
          : world.patch(`/recurring_reservations/${body.id}`, { as: world.machine, body: { times: 2 } }),
      ),
    );
    assert.deepEqual(new Set(ended.map(({ status }) => status)), new Set([200]));
    await Promise.all(
      answers.map(({ body }) => world.post(`/recurring_reservations/${body.id}/end`, { as: world.machine, body: {} })),
    );
  }
  assert.deepEqual(await seats(world, one.first), { attending: 0, held: 0, waiting: 0, booked: 0 });
});

test('a reservation that ends while its series gets another event does not book that event', async () => {
  for (let round = 0; round < 4; round++) {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 1 });
    const { body } = await reserve(world, {
      customer: me,
      offering_type: weekly.place.offering,
      venue: weekly.place.venue,
      local_time: '19:00',
      start_date: weekly.dates[0],
    });
    const next = addDays(weekly.dates[0], 7);
    const created = await world.post('/events', {
      as: world.machine,
      body: {
        name: 'Rowing',
        venue: weekly.place.venue,
        offering_type: weekly.place.offering,
        starts_at: `${next}T19:00`,
        ends_at: `${next}T20:00`,
      },
    });
    assert.equal(created.status, 201);
    // The job that the reader enqueues for the new event.
    const [ended] = await Promise.all([
      world.post(`/recurring_reservations/${body.id}/end`, { as: world.machine, body: {} }),
      world.work(world.harbour, (work) => bookJob.run(work, { reservation: body.id })),
    ]);
    assert.equal(ended.status, 200, ended.text);
    assert.deepEqual(await bookedDates(world, weekly, me), []);
    const { booked } = await seats(world, created.body.id);
    assert.equal(booked, 0);
  }
});
