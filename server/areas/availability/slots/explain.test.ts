import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addDays, instantOfWall } from '../../../kernel/base/values/zone.ts';
import { block } from '../../../test/worlds/hours-world.ts';
import { bookSlot, newPractice, newRoom, slotsOf, type Practice } from '../../../test/worlds/slot-world.ts';
import { connected, outsideEvent } from '../calendars/test/calendar-world.ts';
import { newEvent, newOffering, newVenue, row } from '../../../test/schedule-world.ts';
import { seed } from '../../../test/seeds.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { startWorld } from '../../../test/world.ts';

const world = await startWorld();
after(() => world.close());
const as = world.machine;
const ZONE = 'America/Toronto';
const UNAVAILABLE = 'This time is not available. Please choose another one.';

const at = (date: string, time: string): number => instantOfWall(`${date}T${time}`, ZONE);
const settings = async (body: object) => {
  const set = await world.patch('/slots/settings', { as, body });
  assert.equal(set.status, 200, set.text);
};
const change = (statement: Sql) => world.work(world.harbour, ({ tx }) => tx.run(statement));

/** Creates another event of the instructor, and returns it. */
const otherEvent = async (
  { venue, instructors, date }: Practice,
  from: string,
  to: string,
  over: Record<string, unknown> = {},
): Promise<number> =>
  (
    await newEvent(
      world,
      { venue, offering: await newOffering(world) },
      {
        starts_at: new Date(at(date, from)).toISOString(),
        ends_at: new Date(at(date, to)).toISOString(),
        instructors: [instructors[0]],
        ...over,
      },
    )
  ).id;

/** Creates the only room, so that an appointment needs it. */
async function withRoom({ venue, offering }: Practice): Promise<number> {
  const room = await newRoom(world, venue);
  await change(
    sql`UPDATE offering_type SET default_venue_id = ${venue} WHERE provider_id = ${world.harbour} AND id = ${offering}`,
  );
  await change(
    sql`INSERT INTO offering_type_room (provider_id, offering_type_id, venue_room_id)
      VALUES (${world.harbour}, ${offering}, ${room})`,
  );
  return room;
}

const ofSchedule = ({ instructors }: Practice) =>
  sql`provider_id = ${world.harbour} AND instructor_id = ${instructors[0]}`;

interface Reason {
  readonly title: string;
  readonly code: string;
  readonly practice?: Record<string, unknown>;
  /** runs before the time is offered */
  readonly prepare?: (practice: Practice) => Promise<unknown>;
  /** takes the time from 12 to 13 away; returns the event responsible, if there is one */
  readonly take: (practice: Practice) => Promise<number | void>;
  /** text for staff: what is wrong, and what they can do */
  readonly staff: RegExp | null;
  readonly customer: string | RegExp;
  readonly facts?: Record<string, unknown>;
  /** facts that only staff see */
  readonly staffFacts?: (event: number | null) => Record<string, unknown>;
}

const REASONS: readonly Reason[] = [
  {
    title: 'a time outside of the weekly hours',
    code: 'outside_hours',
    take: async (practice) => {
      await change(
        sql`UPDATE availability_schedule
          SET (default_monday, default_tuesday, default_wednesday, default_thursday, default_friday, default_saturday,
            default_sunday)
          = (SELECT h, h, h, h, h, h, h FROM (SELECT '[{"start": "09:00", "end": "12:30"}]'::jsonb AS h) hours)
          WHERE ${ofSchedule(practice)}`,
      );
    },
    staff: /outside of the weekly hours.*change the hours of the availability schedule/,
    customer: 'Nothing is offered at this time. Please choose another one.',
    facts: { hours_from: 'weekly' },
  },
  {
    title: 'a time outside of the other hours of the day',
    code: 'outside_hours',
    take: async (practice) => {
      await change(
        sql`INSERT INTO availability_override (provider_id, availability_schedule_id, date, availability)
          SELECT provider_id, id, ${practice.date}::date, '[{"start": "09:00", "end": "12:00"}]'
          FROM availability_schedule WHERE ${ofSchedule(practice)}`,
      );
    },
    staff: /^Other hours apply on that day.*change the override/,
    customer: 'Nothing is offered at this time. Please choose another one.',
    facts: { hours_from: 'override' },
  },
  {
    title: 'a day on which the schedule does not count yet',
    code: 'outside_hours',
    take: async (practice) => {
      await change(
        sql`UPDATE availability_schedule SET valid_from = ${practice.date}::date + 1 WHERE ${ofSchedule(practice)}`,
      );
    },
    staff: /not valid on that day.*change the dates of the schedule/,
    customer: 'Nothing is offered at this time. Please choose another one.',
    facts: { hours_from: 'not_valid' },
  },
  {
    title: 'a day on which the venue is closed',
    code: 'closed',
    take: async ({ date, venue }) => {
      const bulk = await seed(world, 'bulk_action');
      await row(world, 'business_closure', { closure_date: date, venue_id: venue, bulk_action_id: bulk });
    },
    staff: /closed on that day.*delete the closure/,
    customer: 'The venue is closed on that day. Please choose another day.',
  },
  {
    title: 'a time that is blocked for the instructor',
    code: 'blocked',
    take: async ({ instructors, date }) => {
      await block(world, { instructor: instructors[0] }, date, '12:30-12:45');
    },
    staff: /blocked for the instructor or the venue.*remove the blocked time/,
    customer: UNAVAILABLE,
  },
  {
    title: 'a time at which the instructor has something else',
    code: 'instructor_busy',
    take: (practice) => otherEvent(practice, '12:30', '13:30'),
    staff: /busy \(event \d+\).*Choose another time or instructor/,
    customer: UNAVAILABLE,
    staffFacts: (event) => ({ events: String(event) }),
  },
  {
    title: 'a time at which the instructor is busy in a calendar of theirs',
    code: 'instructor_busy',
    take: async ({ instructors: [instructor], date }) => {
      const { staff } = await world.work(
        world.harbour,
        async ({ tx }) =>
          (await tx.one<{ staff: number }>(
            sql`SELECT staff_id AS staff FROM instructor WHERE provider_id = ${world.harbour} AND id = ${instructor}`,
          ))!,
      );
      const { calendar } = await connected(world, { of: { instructor, staff } });
      await outsideEvent(world, calendar, [at(date, '12:00'), at(date, '12:30')], { title: 'Dentist' });
    },
    staff: /busy \(a calendar that they connected\)/,
    customer: UNAVAILABLE,
    staffFacts: () => ({ events: null }),
  },
  {
    title: 'a time whose buffer reaches into something else',
    code: 'buffer',
    practice: { slot_buffer_after: 15 },
    take: (practice) => otherEvent(practice, '13:00', '14:00'),
    staff: /too close to something else.*change the buffers/,
    customer: UNAVAILABLE,
  },
  {
    title: 'a time at which the instructor is on the way',
    code: 'travel',
    take: async (practice) => {
      const away = await newVenue(world, { timezone: ZONE });
      await settings({ travel_times: [{ venue: away, other_venue: practice.venue, minutes: 30 }] });
      await otherEvent(practice, '13:15', '14:00', { venue: away });
    },
    staff: /could not get here.*change the travel times/,
    customer: UNAVAILABLE,
  },
  {
    title: 'a time at which no room is free',
    code: 'room_busy',
    prepare: withRoom,
    take: async (practice) => {
      const { id } = (await world.work(world.harbour, ({ tx }) =>
        tx.one<{ id: number }>(
          sql`SELECT venue_room_id AS id FROM offering_type_room
            WHERE provider_id = ${world.harbour} AND offering_type_id = ${practice.offering}`,
        ),
      ))!;
      await otherEvent(practice, '12:30', '13:30', { venue_room: id, instructors: [] });
    },
    staff: /No room is free at this time.*add a room/,
    customer: /^No room is free at this time/,
  },
  {
    title: 'a day with as many appointments as the limit',
    code: 'daily_limit',
    take: async (practice) => {
      await settings({ instructor_limits: [{ instructor: practice.instructors[0], daily_limit: 1 }] });
      const [first] = await slotsOf(world, practice);
      assert.equal((await bookSlot(world, first.id, await world.newCustomer())).status, 200);
    },
    staff: /reached the limit of appointments on that day \(1 of 1\)\..*raise the limit/,
    customer: 'This day is fully booked. Please choose another day.',
    staffFacts: () => ({ appointments: 1, daily_limit: 1 }),
  },
  {
    title: 'a time that is too soon for customers',
    code: 'registration_closed',
    take: () => settings({ minimum_notice: 5 * 1440 }),
    staff: null,
    customer: /^It is too late to book this time\. Please choose one from .+ on\.$/,
  },
  {
    title: 'a time that is too far ahead for customers',
    code: 'registration_not_open',
    take: () => settings({ horizon_days: 1 }),
    staff: null,
    customer: /^This can be booked later\. For now, times until .+ can be booked\.$/,
  },
];

for (const { title, code, practice: over = {}, prepare, take, staff, customer, facts = {}, staffFacts } of REASONS)
  test(`${title} is explained to staff with what they can do, and to customers without what others do`, async () => {
    const practice = await newPractice(world, over);
    await prepare?.(practice);
    const { id } = (await slotsOf(world, practice)).find((slot) => slot.local_starts_at.endsWith('T12:00:00'))!;
    const event = (await take(practice)) ?? null;
    const guest = world.customer(await world.newCustomer());
    const { instructors, offering, date } = practice;
    const path = `/instructors/${instructors[0]}/availability?offering_type=${offering}&from=${date}&to=${date}&explain=true`;
    const told = async (who: string) => {
      const one = await world.get(`/slots/${id}/explain`, { as: who });
      assert.equal(one.status, 200, one.text);
      const of = await world.get(path, { as: who });
      assert.equal(of.status, 200, of.text);
      return {
        available: one.body.is_available,
        refused: one.body.rules.filter((rule: any) => !rule.passed),
        part: of.body.days[0].unavailable.find((part: any) => part.reason === code),
        whole: one.text + of.text,
      };
    };
    const [asStaff, asCustomer] = [await told(as), await told(guest)];
    await settings({ travel_times: [], instructor_limits: [], minimum_notice: 0, horizon_days: 90 });

    // No window restricts staff.
    assert.equal(asStaff.available, staff === null);
    if (staff) {
      assert.deepEqual(
        asStaff.refused.map((rule: any) => rule.code),
        [code],
      );
      assert.match(asStaff.refused[0].message, staff);
      const shown = asStaff.refused[0].facts;
      for (const [name, value] of Object.entries({ ...facts, ...staffFacts?.(event) }))
        assert.equal(shown[name], value);
      assert.match(asStaff.part.message, staff);
      if (event !== null && ['instructor_busy', 'buffer'].includes(code)) assert.equal(asStaff.part.event, event);
    }
    assert.equal(asCustomer.available, false);
    const [refusal] = asCustomer.refused;
    assert.deepEqual([asCustomer.refused.length, refusal.code], [1, code]);
    for (const text of [refusal.message, asCustomer.part.message])
      if (typeof customer === 'string') assert.equal(text, customer);
      else assert.match(text, customer);
    for (const name of Object.keys(staffFacts?.(event) ?? {})) assert.equal(refusal.facts[name], null);
    assert.equal(asCustomer.part.event, null);
    assert.doesNotMatch(asCustomer.whole, /event \d|calendar that they|Dentist|\d of \d/);
  });

test('a time that has passed is explained as such, whatever else applies', async () => {
  const practice = await newPractice(world, { hours: '00:00-23:59', slot_increments: 30 });
  const before = world.now;
  const tomorrow = { ...practice, date: addDays(practice.date, -2) };
  // From noon on, tomorrow's first time comes before its id expires.
  world.setNow(at(addDays(tomorrow.date, -1), '12:00'));
  await settings({ slot_expires_after: 1440 });
  const slots = await slotsOf(world, tomorrow);
  const slot = slots.find(({ starts_at }) => Date.parse(starts_at) > world.now)!;
  world.setNow(Date.parse(slot.starts_at) + 60_000);
  const { body } = await world.get(`/slots/${slot.id}/explain`, { as });
  const path = `/instructors/${practice.instructors[0]}/availability?offering_type=${practice.offering}&from=${tomorrow.date}&to=${tomorrow.date}&explain=true`;
  const { days } = (await world.get(path, { as })).body;
  world.setNow(before);
  await settings({ slot_expires_after: 30 });
  assert.deepEqual(
    body.rules.filter((rule: any) => !rule.passed).map((rule: any) => [rule.code, rule.message]),
    [['event_started', 'The time has passed. Choose a later one.']],
  );
  assert.equal(days[0].unavailable[0].reason, 'event_started');
});

test('a venue without any hours says so', async () => {
  const practice = await newPractice(world);
  const [slot] = await slotsOf(world, practice);
  await change(sql`UPDATE availability_schedule SET venue_id = ${await newVenue(world)} WHERE ${ofSchedule(practice)}`);
  const { body } = await world.get(`/slots/${slot.id}/explain`, { as });
  assert.equal(body.is_available, false);
  assert.match(body.rules[0].message, /no hours.*Create an availability schedule/);
});
