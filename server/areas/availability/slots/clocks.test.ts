/**
 * Free times with clock changes, long or short days, and different zones: over HTTP, as in docs/algorithms/slots.md.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/zone.ts';
import { bookSlot, newPractice, slotsOf } from '../../../test/worlds/slot-world.ts';
import { json, sql } from '../../../kernel/base/db/sql.ts';
import { rangesOf } from '../../../test/worlds/hours-world.ts';
import { startWorld } from '../../../test/world.ts';
import { workedTable } from '../../../test/worked-table.ts';

const world = await startWorld();
after(() => world.close());

const localOf = (slots: readonly { local_starts_at: string; starts_at: string }[]) =>
  slots.map((slot) => `${slot.local_starts_at.slice(11, 16)}${slot.starts_at.slice(19)}`).join(', ') || '–';

for (const { zone, date, hours, duration, increments, starts } of workedTable(
  'docs/algorithms/slots.md',
  'Worked clocks',
))
  test(`in ${zone}, ${hours} on ${date} has starts ${starts}, and booking one takes away exactly what is in its way`, async () => {
    const practice = {
      ...(await newPractice(world, {
        zone,
        hours: '',
        slot_duration: Number(duration),
        slot_increments: increments === '–' ? null : Number(increments),
      })),
      date,
    };
    await world.work(world.harbour, ({ tx }) =>
      tx.run(sql`INSERT INTO availability_override (provider_id, availability_schedule_id, date, availability)
        SELECT provider_id, id, ${date}::date, ${json(rangesOf(hours))}::jsonb FROM availability_schedule
        WHERE provider_id = ${world.harbour} AND instructor_id = ${practice.instructors[0]}`),
    );
    const all = () => slotsOf(world, practice, { to: addDays(date, 1) });
    const before = await all();
    assert.equal(localOf(before), starts);
    // Nothing is longer or shorter than it should be, and nothing extends beyond the hours.
    for (const { starts_at: start, ends_at: end } of before)
      assert.equal(Date.parse(end) - Date.parse(start), Number(duration) * 60_000);
    const taken = before[Math.floor(before.length / 2)];
    const booked = await bookSlot(world, taken.id, await world.newCustomer());
    assert.equal(booked.status, 200, booked.text);
    const far = ({ starts_at: start }: { starts_at: string }) =>
      Math.abs(Date.parse(start) - Date.parse(taken.starts_at));
    // Without increments, a booking moves later starts, but it was at one of them: the others remain.
    assert.deepEqual(
      (await all()).map(({ starts_at: start }) => start),
      before.filter((slot) => far(slot) >= Number(duration) * 60_000).map(({ starts_at: start }) => start),
    );
  });

test('hours for every venue are in the zone of the business, and are offered in the zone of each venue', async () => {
  // The business is in Toronto: its morning is the afternoon in London and the evening in Kathmandu.
  for (const [zone, times] of [
    ['Europe/London', ['14:00', '15:00', '16:00']],
    ['Asia/Kathmandu', ['19:45', '20:45', '21:45']],
    ['Pacific/Auckland', ['03:00', '04:00', '05:00']],
  ] as const) {
    const practice = await newPractice(world, { zone, hours: '09:00-12:00' });
    await world.work(world.harbour, ({ tx }) =>
      tx.all([
        sql`UPDATE availability_schedule SET venue_id = NULL WHERE provider_id = ${world.harbour} AND instructor_id = ${practice.instructors[0]}`,
        sql`UPDATE offering_type SET default_venue_id = ${practice.venue} WHERE provider_id = ${world.harbour} AND id = ${practice.offering}`,
      ]),
    );
    const slots = await slotsOf(world, { ...practice, date: '2027-01-13' });
    assert.deepEqual(
      slots.map(({ local_starts_at: at }) => at),
      times.map((time) => `2027-01-13T${time}:00`),
    );
    assert.ok(slots.every((slot) => slot.timezone === zone));
    const booked = await bookSlot(world, slots[1].id, await world.newCustomer());
    const event = await world.get(`/events/${booked.body.event}`, { as: world.machine });
    assert.equal(event.body.starts_at, slots[1].starts_at);
  }
});
