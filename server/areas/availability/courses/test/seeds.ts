import { createEvent } from '../../../scheduling/schedule/index.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

const DAY = 86_400_000;

export interface Dates {
  readonly course: number;
  readonly series: number;
  /** ids, soonest first */
  readonly sessions: readonly number[];
}

const newCourse = async (world: World, providerId: number): Promise<{ course: number; offering: number }> => {
  const offering = await row(
    world,
    'offering_type',
    { name: name('Pottery'), schedule_type: 'course', dropin_price_minor: 1500 },
    providerId,
  );
  const course = await row(
    world,
    'course',
    { name: name('Pottery'), offering_type_id: offering, published: true },
    providerId,
  );
  return { course, offering };
};

/** Creates a series with two sessions, a week apart, the first in two days. */
export async function newDates(
  world: World,
  providerId = world.harbour,
  of?: { course: number; offering: number },
): Promise<Dates> {
  const { course, offering } = of ?? (await newCourse(world, providerId));
  const venue = await seed(world, 'venue', providerId);
  const instructor = await seed(world, 'instructor', providerId);
  const series = await row(
    world,
    'course_date_series',
    {
      course_id: course,
      venue_id: venue,
      name: name('Autumn'),
      price_minor: 8000,
      single_price_minor: 1500,
      max_occupancy: 5,
      late_join_limit: 1,
      make_up_days: 60,
    },
    providerId,
  );
  const sessions = await world.work(providerId, async (work) => {
    const made: number[] = [];
    for (const week of [0, 7]) {
      const start = world.now + (2 + week) * DAY;
      made.push(
        await createEvent(work, {
          name: 'Pottery',
          venue,
          offering_type: offering,
          instructors: [instructor],
          starts_at: iso(start),
          ends_at: iso(start + 3_600_000),
          max_occupancy: 5,
        }),
      );
    }
    await work.tx.run(sql`INSERT INTO course_date (provider_id, event_id, course_id, course_date_series_id, position)
      SELECT ${providerId}::bigint, e, ${course}::bigint, ${series}::bigint, n FROM unnest(${made}::bigint[])
      WITH ORDINALITY AS d (e, n)`);
    return made;
  });
  return { course, series, sessions };
}

/** Creates an enrollment in a series with its bookings; the first session is credited. */
export async function newEnrollment(
  world: World,
  providerId = world.harbour,
  { credited = false } = {},
): Promise<Dates & { id: number; customer: number }> {
  const dates = await newDates(world, providerId);
  const customer = await seed(world, 'customer', providerId);
  const invoice = await seed(world, 'invoice', providerId);
  const id = await row(
    world,
    'course_enrollment',
    {
      course_date_series_id: dates.series,
      customer_id: customer,
      paid_by: 'checkout',
      price_minor: 8000,
      invoice_id: invoice,
      enrolled_at: iso(world.now),
    },
    providerId,
  );
  await world.work(providerId, ({ tx }) =>
    tx.run(sql`INSERT INTO course_enrollment_date
      (provider_id, course_enrollment_id, event_id, credit_reason, credited_at, credit_minor)
      SELECT ${providerId}::bigint, ${id}::bigint, e,
        CASE WHEN ${credited}::boolean AND n = 1 THEN 'session_cancelled' END,
        CASE WHEN ${credited}::boolean AND n = 1 THEN now() END, CASE WHEN ${credited}::boolean AND n = 1 THEN 4000 END
      FROM unnest(${[...dates.sessions]}::bigint[]) WITH ORDINALITY AS d (e, n)`),
  );
  for (const event_id of dates.sessions)
    await row(
      world,
      'attendance',
      { event_id, customer_id: customer, status: 'registered', registered_at: iso(world.now) },
      providerId,
    );
  return { ...dates, id, customer };
}

export const SEEDS: Seeds = {
  course: async (world, providerId) => (await newDates(world, providerId)).course,
  course_date_series: async (world, providerId) => (await newDates(world, providerId)).series,
  course_session: async (world, providerId) => (await newDates(world, providerId)).sessions[0],
  course_session_attendance: async (world, providerId) => {
    const { sessions, customer } = await newEnrollment(world, providerId);
    const found = await world.work(providerId, ({ tx }) =>
      tx.one<{ id: number }>(
        sql`SELECT id FROM attendance WHERE provider_id = ${providerId} AND event_id = ${sessions[0]}
          AND customer_id = ${customer}`,
      ),
    );
    return found!.id;
  },
  course_enrollment: async (world, providerId) => {
    const { id } = await newEnrollment(world, providerId, { credited: true });
    const charged = await newEnrollment(world, providerId);
    const membership = await seed(world, 'customermembership', providerId);
    const charge = await seed(world, 'account_entry', providerId);
    await world.work(providerId, async ({ tx }) => {
      await tx.run(
        sql`UPDATE course_enrollment SET paid_by = 'membership', customer_membership_id = ${membership}
          WHERE provider_id = ${providerId} AND id = ${id}`,
      );
      await tx.run(
        sql`UPDATE course_enrollment SET paid_by = 'account', account_entry_id = ${charge}
          WHERE provider_id = ${providerId} AND id = ${charged.id}`,
      );
    });
    return id;
  },
  course_make_up: async (world, providerId) => {
    const enrollment = await newEnrollment(world, providerId);
    const other = await newDates(world, providerId);
    return row(
      world,
      'course_make_up',
      {
        course_enrollment_id: enrollment.id,
        missed_event_id: enrollment.sessions[0],
        event_id: other.sessions[0],
        customer_id: enrollment.customer,
        pays: true,
      },
      providerId,
    );
  },
  course_waitlist_spot: async (world, providerId) =>
    row(
      world,
      'course_waitlist_spot',
      {
        course_date_series_id: (await newDates(world, providerId)).series,
        customer_id: await seed(world, 'customer', providerId),
        added_at: iso(world.now),
        offered_until: iso(world.now + DAY),
      },
      providerId,
    ),
};
