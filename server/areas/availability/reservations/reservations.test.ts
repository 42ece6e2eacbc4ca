import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { bookJob } from './keep-booking.ts';
import { createEvent, register } from '../../scheduling/schedule/index.ts';
import { book, feedSince, newCustomers, newPlace, seats } from '../../../test/schedule-world.ts';
import { bookedDates, datesOf, newWeekly, reserve, type Weekly } from './test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

const DAY = 86_400_000;

let world: World;
before(async () => {
  world = await startWorld({ worker: true });
});
after(() => world.close());

const as = () => world.machine;
const allow = (settings: Record<string, unknown> = {}) =>
  world.patch('/recurring_reservations/settings', {
    as: as(),
    body: { customers_can_create: true, customers_max_weeks: null, ...settings },
  });
const change = (id: number, body: object, query = '', token = as()) =>
  world.patch(`/recurring_reservations/${id}${query}`, { as: token, body });
const end = (id: number, body: object = {}, query = '', token = as()) =>
  world.post(`/recurring_reservations/${id}/end${query}`, { as: token, body });
const eventOn = async (series: number, date: string): Promise<any> => {
  const { body } = await world.get(`/events?series=${series}&page_size=250`, { as: as() });
  return body.results.find((one: any) => one.starts_at.startsWith(date));
};
const cancel = (event: number) => world.post(`/events/${event}/cancel`, { as: as(), body: {} });
const reopen = async (event: number) => {
  const { status, text } = await world.post(`/events/${event}/reopen`, { as: as(), body: {} });
  assert.equal(status, 200, text);
};
const bookedAre = async (weekly: Weekly, customer: number, expected: readonly string[]) => {
  await until(`booked are ${expected.join(', ')}`, async () => {
    const now = await bookedDates(world, weekly, customer);
    return JSON.stringify(now) === JSON.stringify(expected);
  });
};
const messages = (customer: number): Promise<{ kind: string; subject: string; text: string }[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT kind, subject, text_part AS text FROM message
        WHERE provider_id = ${world.harbour} AND customer_id = ${customer} ORDER BY id`,
    ),
  );

describe('making one', () => {
  test('every upcoming event like the named one is booked', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world);
    const made = await reserve(world, { customer: me, event: weekly.first });
    assert.equal(made.status, 201, made.text);
    const { id, object, weekday, local_time, event_series, status, start_date } = made.body;
    assert.deepEqual(
      { object, weekday, local_time, event_series, status, start_date },
      {
        object: 'recurring_reservation',
        weekday: weekly.weekday,
        local_time: '19:00',
        event_series: weekly.series,
        status: 'active',
        start_date: weekly.dates[0],
      },
    );
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates);
    assert.deepEqual(
      await datesOf(world, id),
      weekly.dates.map((date) => `${date} booked`),
    );
  });

  test('a number of times is a number of bookings, and full events do not count', async () => {
    const [me, other] = await newCustomers(world, 2);
    const weekly = await newWeekly(world, { weeks: 5, max_occupancy: 1 });
    await book(world, (await eventOn(weekly.series, weekly.dates[1])).id, other);
    const made = await reserve(world, { customer: me, event: weekly.first, times: 2 });
    assert.deepEqual(await datesOf(world, made.body.id), [
      `${weekly.dates[0]} booked`,
      `${weekly.dates[1]} unavailable event_full`,
      `${weekly.dates[2]} booked`,
    ]);
    const more = await change(made.body.id, { times: 3 });
    assert.equal(more.status, 200, more.text);
    assert.deepEqual(
      await bookedDates(world, weekly, me),
      [0, 2, 3].map((n) => weekly.dates[n]),
    );
    assert.equal((await change(made.body.id, { times: 1 })).status, 200);
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[0]]);
  });

  test('without a series, it books the events at that time at the venue', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 3 });
    const later = { venue: weekly.place.venue, offering_type: weekly.place.offering, name: 'Later' };
    await world.post('/events', {
      as: as(),
      body: { ...later, starts_at: `${weekly.dates[0]}T20:30`, ends_at: `${weekly.dates[0]}T21:00` },
    });
    const made = await reserve(world, {
      customer: me,
      offering_type: weekly.place.offering,
      venue: weekly.place.venue,
      local_time: '19:00',
      start_date: weekly.dates[0],
      end_date: weekly.dates[1],
    });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.event_series, null);
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates.slice(0, 2));
    const { body } = await world.get(`/events?applicable_to_recurring_reservation=${made.body.id}`, { as: as() });
    assert.deepEqual(
      body.results.map((event: any) => event.starts_at.slice(0, 10)),
      weekly.dates.slice(0, 2),
    );
  });

  test('the first of several parallel events that can be booked is booked', async () => {
    const [me, other] = await newCustomers(world, 2);
    const place = await newPlace(world);
    const first = await newWeekly(world, { weeks: 1, place, max_occupancy: 1 });
    const beside = await newWeekly(world, { weeks: 1, place });
    await book(world, first.first, other);
    const made = await reserve(world, {
      customer: me,
      offering_type: place.offering,
      venue: place.venue,
      local_time: '19:00',
      start_date: first.dates[0],
    });
    const { body } = await world.get(`/recurring_reservations/${made.body.id}/dates`, { as: as() });
    assert.deepEqual(
      body.results.map(({ event, outcome }: any) => [event, outcome]),
      [[beside.first, 'booked']],
    );
  });

  test('a time with another booking is not booked twice, and earlier bookings remain separate', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 3 });
    const other = await newWeekly(world, { weeks: 1 });
    await book(world, other.first, me);
    await book(world, (await eventOn(weekly.series, weekly.dates[1])).id, me);
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    assert.deepEqual(await datesOf(world, body.id), [
      `${weekly.dates[0]} unavailable overlapping_booking`,
      `${weekly.dates[1]} already_booked`,
      `${weekly.dates[2]} booked`,
    ]);
    await end(body.id);
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[1]]);
  });

  test('a preview and a dry run show the outcome of each date, and book nothing', async () => {
    const [me, other] = await newCustomers(world, 2);
    const weekly = await newWeekly(world, { weeks: 3, max_occupancy: 1 });
    await book(world, (await eventOn(weekly.series, weekly.dates[1])).id, other);
    const asked = { customer: me, event: weekly.first };
    const shown = await world.post('/recurring_reservations/preview', { as: as(), body: asked });
    assert.equal(shown.status, 200, shown.text);
    assert.deepEqual(
      shown.body.dates.map(({ date, outcome, reasons }: any) => [date, outcome, ...reasons]),
      [
        [weekly.dates[0], 'booked'],
        [weekly.dates[1], 'unavailable', 'event_full'],
        [weekly.dates[2], 'booked'],
      ],
    );
    const tried = await reserve(world, asked, as(), '?dry_run=true');
    const effects = tried.body.effects.map(({ effect }: any) => effect);
    assert.equal(effects.filter((one: string) => one === 'booked').length, 2);
    assert.equal(effects.filter((one: string) => one === 'date_unavailable').length, 1);
    assert.deepEqual(await bookedDates(world, weekly, me), []);
  });

  test('with `fail`, one full date prevents all bookings, and the refusal names it', async () => {
    const [me, other] = await newCustomers(world, 2);
    const weekly = await newWeekly(world, { weeks: 3, max_occupancy: 1 });
    await book(world, (await eventOn(weekly.series, weekly.dates[1])).id, other);
    const refused = await reserve(world, { customer: me, event: weekly.first, on_conflict: 'fail' });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.code, 'reservation_conflicts');
    assert.match(refused.body.message, /The event is full.*skipped_dates/s);
    assert.deepEqual(await bookedDates(world, weekly, me), []);
    const left = { on_conflict: 'fail', skipped_dates: [weekly.dates[1]] };
    assert.equal((await reserve(world, { customer: me, event: weekly.first, ...left })).status, 201);
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[0], weekly.dates[2]]);
  });

  test('with `waitlist`, the customer joins the waitlists of full events, and is listed until they get a place', async () => {
    const [me, other] = await newCustomers(world, 2);
    const weekly = await newWeekly(world, { weeks: 2, max_occupancy: 1 });
    await book(world, weekly.first, other);
    const { body } = await reserve(world, { customer: me, event: weekly.first, on_conflict: 'waitlist' });
    const listed = async (status = 'active') =>
      (
        await world.get(`/recurring_reservations/${body.id}/unavailable_upcoming_events?status=${status}`, { as: as() })
      ).body.results.map(({ event, attendance, reasons }: any) => [event, attendance !== null, reasons]);
    assert.deepEqual(await listed(), [[weekly.first, true, ['event_full']]]);
    assert.deepEqual(await listed('ended'), []);
    await world.post(`/events/${weekly.first}/unregister`, { as: as(), body: { customer: other } });
    // A freed place goes to the waitlist, now or when it is claimed.
    await book(world, weekly.first, me);
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await listed('ended'), [[weekly.first, true, ['event_full']]]);
  });

  test('a time without events is refused, and so are requests that say too little or too much', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 1 });
    const { venue, offering } = weekly.place;
    const refusedWith = async (body: object) => {
      const { status, body: answer } = await reserve(world, { customer: me, ...body });
      return [status, answer.code, ...Object.keys(answer.field_errors)];
    };
    const at = { offering_type: offering, venue, local_time: '07:15', weekday: weekly.weekday };
    assert.deepEqual(await refusedWith(at), [409, 'nothing_to_reserve']);
    assert.deepEqual(await refusedWith({}), [400, 'parameter_invalid', 'event']);
    assert.deepEqual(await refusedWith({ offering_type: offering }), [
      400,
      'parameter_invalid',
      'venue',
      'local_time',
      'weekday',
    ]);
    assert.deepEqual(await refusedWith({ event: weekly.first, event_series: weekly.series }), [
      400,
      'parameter_invalid',
      'event_series',
    ]);
    assert.deepEqual(await refusedWith({ event: weekly.first, start_date: '2030-02-01', end_date: '2030-01-31' }), [
      400,
      'parameter_invalid',
      'end_date',
    ]);
  });
});

describe('what customers can do', () => {
  test('customers need the permission of the business, and act for their own family only', async () => {
    await allow({ customers_can_create: false });
    const [me, stranger] = await newCustomers(world, 2);
    const weekly = await newWeekly(world, { weeks: 2 });
    const mine = world.customer(me);
    const refused = await reserve(world, { event: weekly.first }, mine);
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /ask them/);
    await allow();
    assert.notEqual((await reserve(world, { event: weekly.first, customer: stranger }, mine)).status, 201);
    const made = await reserve(world, { event: weekly.first }, mine);
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates);
    const other = world.customer(stranger);
    assert.equal((await world.get(`/recurring_reservations/${made.body.id}`, { as: other })).status, 404);
    assert.equal((await end(made.body.id, {}, '', other)).status, 404);
    const found = await world.get(`/events?applicable_to_recurring_reservation=${made.body.id}`, { as: other });
    assert.equal(found.body.count, 0);
    await allow({ customers_can_create: false });
    // They can always give up what they have.
    assert.equal((await end(made.body.id, {}, '', mine)).status, 200);
  });

  test('reservations of customers end within the weeks that the business allows', async () => {
    await allow({ customers_max_weeks: 2 });
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 4 });
    const mine = world.customer(me);
    const open = await reserve(world, { event: weekly.first }, mine);
    assert.equal(open.status, 400);
    assert.deepEqual(Object.keys(open.body.field_errors), ['end_date']);
    const made = await reserve(world, { event: weekly.first, times: 2 }, mine);
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates.slice(0, 2));
    assert.equal((await change(made.body.id, { times: 3 }, '', mine)).status, 400);
    await allow();
  });

  test('a date for which booking has not opened is booked as soon as it opens', async () => {
    await allow();
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 2 });
    await world.patch(`/offering_types/${weekly.place.offering}`, {
      as: as(),
      body: { registrations_open_interval: 5 * 24 * 60 },
    });
    const made = await reserve(world, { event: weekly.first }, world.customer(me));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await datesOf(world, made.body.id), [
      `${weekly.dates[0]} booked`,
      `${weekly.dates[1]} opens_later`,
    ]);
    world.setNow(world.now + 5 * DAY);
    try {
      await world.work(world.harbour, async (work) => {
        await bookJob.run(work, { reservation: made.body.id });
      });
      assert.deepEqual(
        await datesOf(world, made.body.id),
        weekly.dates.map((date) => `${date} booked`),
      );
    } finally {
      world.resetNow();
    }
  });

  test('the reservation of a customer books nothing that the customer could not see', async () => {
    await allow();
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 1 });
    const made = await reserve(world, { event: weekly.first }, world.customer(me));
    await world.patch(`/offering_types/${weekly.place.offering}`, {
      as: as(),
      body: { customer_visibility: 'private' },
    });
    const next = addDays(weekly.dates[0], 7);
    const hidden = await world.post('/events', {
      as: as(),
      body: {
        name: 'Rowing',
        venue: weekly.place.venue,
        offering_type: weekly.place.offering,
        starts_at: `${next}T19:00`,
        ends_at: `${next}T20:00`,
      },
    });
    await world.work(world.harbour, async (work) => {
      await work.tx.run(
        sql`UPDATE event SET series_id = ${weekly.series}, series_local_starts_at = local_starts_at
          WHERE provider_id = ${world.harbour} AND id = ${hidden.body.id}`,
      );
      await bookJob.run(work, { reservation: made.body.id });
    });
    assert.deepEqual(await datesOf(world, made.body.id), [`${weekly.dates[0]} booked`]);
  });
});

describe('as time goes on', () => {
  test('an event that is created later is booked, and one message says so', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 2 });
    const at = { offering_type: weekly.place.offering, venue: weekly.place.venue };
    const made = await reserve(world, { customer: me, ...at, local_time: '19:00', start_date: weekly.dates[0] });
    assert.equal(made.status, 201, made.text);
    const next = addDays(weekly.dates[0], 14);
    await world.post('/events', {
      as: as(),
      body: { name: 'Rowing', ...at, starts_at: `${next}T19:00`, ends_at: `${next}T20:00` },
    });
    await until('it is booked', async () => (await bookedDates(world, weekly, me)).length === 3);
    const told = await until('it is told', async () => {
      const all = await messages(me);
      return all.length === 2 ? all : null;
    });
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['recurring_reservation_booked', 'recurring_reservation_booked'],
    );
    assert.match(told[0].subject, /^Booked: Rowing, \w+days at 7:00 p\.m\.$/);
    assert.equal(told[0].text.match(/7:00 p\.m\.$/gm)!.length, 3, told[0].text);
  });

  test('a later date that is full is notified with the reason', async () => {
    const [me, other] = await newCustomers(world, 2);
    const weekly = await newWeekly(world, { weeks: 1 });
    const at = { offering_type: weekly.place.offering, venue: weekly.place.venue };
    const made = await reserve(world, { customer: me, ...at, local_time: '19:00', start_date: weekly.dates[0] });
    const next = addDays(weekly.dates[0], 7);
    const full = await world.work(world.harbour, async (work) => {
      const event = await createEvent(work, {
        name: 'Rowing',
        ...at,
        starts_at: `${next}T19:00`,
        ends_at: `${next}T20:00`,
        max_occupancy: 1,
      });
      await register(work.tx, [{ work, customer: other, comped: false, named: null }], { event, commit: false });
      return event;
    });
    await until('it is told', async () =>
      (await messages(me)).some(
        ({ kind, text }) => kind === 'recurring_reservation_date_unavailable' && /This class is full/.test(text),
      ),
    );
    const listed = await world.get(`/recurring_reservations/${made.body.id}/unavailable_upcoming_events`, { as: as() });
    assert.deepEqual(
      listed.body.results.map(({ event, attendance, reasons }: any) => [event, attendance, reasons]),
      [[full, null, ['event_full']]],
    );
    await world.post(`/events/${full}/unregister`, { as: as(), body: { customer: other } });
    const again = await world.post(`/recurring_reservations/${made.body.id}/try_again`, { as: as(), body: {} });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(await datesOf(world, made.body.id), [`${weekly.dates[0]} booked`, `${next} booked`]);
  });

  test('a reservation follows its series to another time, and to the series that continues after a split', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 3 });
    const made = await reserve(world, { customer: me, event: weekly.first });
    const second = await eventOn(weekly.series, weekly.dates[1]);
    const moved = await world.patch(`/events/${second.id}`, {
      as: as(),
      body: {
        starts_at: `${weekly.dates[1]}T18:00`,
        ends_at: `${weekly.dates[1]}T19:00`,
        applies_to: 'following',
      },
    });
    assert.equal(moved.status, 200, moved.text);
    const applicable = async () =>
      (await world.get(`/events?applicable_to_recurring_reservation=${made.body.id}`, { as: as() })).body.count;
    await until('it follows', async () => (await applicable()) === 3);
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates);
    const bookings = await world.get(`/attendances?event_applicable_to_recurring_reservation=${made.body.id}`, {
      as: as(),
    });
    assert.equal(bookings.body.count, 3);
  });

  test('it ends when its last date is over, and a cancelled event is no date', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 2 });
    const made = await reserve(world, { customer: me, event: weekly.first, times: 1 });
    await world.post(`/events/${weekly.first}/cancel`, { as: as(), body: {} });
    await until('the next is booked', async () => (await bookedDates(world, weekly, me)).length === 1);
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[1]]);
    world.setNow(world.now + 11 * DAY);
    try {
      await world.work(world.harbour, async (work) => {
        await bookJob.run(work, { reservation: made.body.id });
      });
      const { body } = await world.get(`/recurring_reservations/${made.body.id}`, { as: as() });
      assert.deepEqual([body.status, body.end_reason], ['ended', 'completed']);
    } finally {
      world.resetNow();
    }
  });
});

describe('events that were cancelled and take place after all', () => {
  test('a date whose event was cancelled when the reservation was made is booked when the event comes back', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 3 });
    const second = await eventOn(weekly.series, weekly.dates[1]);
    await cancel(second.id);
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[0], weekly.dates[2]]);
    await reopen(second.id);
    await bookedAre(weekly, me, weekly.dates);
    assert.deepEqual(
      await datesOf(world, body.id),
      weekly.dates.map((date) => `${date} booked`),
    );
  });

  test('a booking that replaced a date which comes back is cancelled, and not as late', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 3 });
    await world.patch(`/offering_types/${weekly.place.offering}`, {
      as: as(),
      body: { cancellation_notice_interval: 30 * 24 * 60 },
    });
    const { body } = await reserve(world, { customer: me, event: weekly.first, times: 2 });
    await cancel(weekly.first);
    await bookedAre(weekly, me, weekly.dates.slice(1));
    await reopen(weekly.first);
    await bookedAre(weekly, me, weekly.dates.slice(0, 2));
    const found = await world.get(`/attendances?customer=${me}&fields=status`, { as: as() });
    assert.deepEqual(found.body.results.map((one: any) => one.status).toSorted(), [
      'not_registered',
      'registered',
      'registered',
    ]);
    assert.deepEqual(
      await datesOf(world, body.id),
      weekly.dates.slice(0, 2).map((date) => `${date} booked`),
    );
  });

  test('a booking that was ended or skipped while its event was cancelled does not come back with it', async () => {
    const [ends, skips, stays] = await newCustomers(world, 3);
    const weekly = await newWeekly(world, { weeks: 1 });
    const [one, two, three] = await Promise.all(
      [ends, skips, stays].map(async (customer) => (await reserve(world, { customer, event: weekly.first })).body.id),
    );
    assert.ok(three);
    await cancel(weekly.first);
    assert.equal((await end(one)).status, 200);
    assert.equal((await change(two, { skipped_dates: weekly.dates })).status, 200);
    await reopen(weekly.first);
    await bookedAre(weekly, stays, weekly.dates);
    assert.deepEqual(await bookedDates(world, weekly, ends), []);
    assert.deepEqual(await bookedDates(world, weekly, skips), []);
    assert.equal((await change(two, { skipped_dates: [] })).status, 200);
    assert.deepEqual(await bookedDates(world, weekly, skips), weekly.dates);
  });

  test('a place that does not come back with its event is listed with the reason', async () => {
    const [me] = await newCustomers(world, 1);
    const [weekly, other] = [await newWeekly(world, { weeks: 2 }), await newWeekly(world, { weeks: 1 })];
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    await cancel(weekly.first);
    await book(world, other.first, me);
    await reopen(weekly.first);
    await until('it is listed', async () =>
      (await datesOf(world, body.id))[0].endsWith('unavailable booked_elsewhere'),
    );
    const listed = await world.get(`/recurring_reservations/${body.id}/unavailable_upcoming_events`, { as: as() });
    assert.deepEqual(
      listed.body.results.map(({ event }: any) => event),
      [weekly.first],
    );
    assert.match(listed.body.results[0].messages[0], /They have booked “Rowing” at that time/);
  });
});

describe('ending one', () => {
  test('its bookings are cancelled from a day on, and their places are free again', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 4 });
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    const later = await end(body.id, { from: weekly.dates[2] });
    assert.equal(later.status, 200, later.text);
    assert.equal(later.body.status, 'active');
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates.slice(0, 2));
    const tried = await end(body.id, {}, '?dry_run=true');
    assert.equal(tried.body.effects.filter((one: any) => one.effect === 'booking_cancelled').length, 2);
    const over = await end(body.id);
    assert.deepEqual([over.body.status, over.body.end_reason], ['ended', 'requested']);
    assert.deepEqual(await bookedDates(world, weekly, me), []);
    assert.deepEqual(await seats(world, weekly.first), { attending: 0, held: 0, waiting: 0, booked: 0 });
    assert.equal((await end(body.id)).body.code, 'already_ended');
    assert.equal((await change(body.id, { times: 2 })).body.code, 'already_ended');
  });

  test('existing bookings can be kept', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 2 });
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    await end(body.id, { keep_bookings: true });
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates);
  });

  test('after the cut-off, ending it cancels late, as the window of the event says', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 2 });
    await world.patch(`/offering_types/${weekly.place.offering}`, {
      as: as(),
      body: { cancellation_notice_interval: 4 * 24 * 60 },
    });
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    await end(body.id);
    const found = await world.get(`/attendances?customer=${me}&fields=status,event.starts_at`, { as: as() });
    assert.deepEqual(found.body.results.map((one: any) => one.status).toSorted(), ['late_cancelled', 'not_registered']);
  });

  test('skipping a date frees its place, and unskipping it books it again', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 3 });
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    await change(body.id, { skipped_dates: [weekly.dates[1]] });
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[0], weekly.dates[2]]);
    await change(body.id, { skipped_dates: [] });
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates);
    await change(body.id, { end_date: weekly.dates[1] });
    assert.deepEqual(await bookedDates(world, weekly, me), weekly.dates.slice(0, 2));
  });

  test('a booking that the customer cancels is not made again', async () => {
    const [me] = await newCustomers(world, 1);
    const weekly = await newWeekly(world, { weeks: 2 });
    const { body } = await reserve(world, { customer: me, event: weekly.first });
    await world.post(`/events/${weekly.first}/unregister`, { as: world.customer(me), body: {} });
    await world.post(`/recurring_reservations/${body.id}/try_again`, { as: as(), body: {} });
    assert.deepEqual(await bookedDates(world, weekly, me), [weekly.dates[1]]);
  });
});

test('its changes are recorded in the feed', async () => {
  const [me] = await newCustomers(world, 1);
  const weekly = await newWeekly(world, { weeks: 2 });
  const since = await world.work(world.harbour, async ({ tx }) => {
    const last = await tx.one<{ id: number }>(
      sql`SELECT coalesce(max(id), 0)::bigint AS id FROM feed_item WHERE provider_id = ${world.harbour}`,
    );
    return last!.id;
  });
  const { body } = await reserve(world, { customer: me, event: weekly.first });
  await change(body.id, { skipped_dates: [weekly.dates[1]] });
  await end(body.id);
  const kinds = (await feedSince(world, since))
    .filter(({ payload }) => payload.customer === me)
    .map(({ kind, payload }) => (kind === 'event_registration.created' ? payload.from : kind));
  assert.deepEqual(kinds, [
    'recurring_reservation.created',
    'recurring_reservation',
    'recurring_reservation',
    'event_registration.cancelled',
    'recurring_reservation.updated',
    'event_registration.cancelled',
    'recurring_reservation.ended',
  ]);
});
