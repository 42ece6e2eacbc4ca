import { action, answer, create, read, STAFF, staffWith } from '../../../../kernel/api/endpoint.ts';
import { boolean, date, id, instant, oneOf, ref } from '../../../../kernel/base/fields/kinds.ts';
import { allOptional } from '../../../../kernel/base/fields/field.ts';
import { instant as sqlInstant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { checkEntrance } from './entrance.ts';
import { checkinFeed } from '../feed.ts';
import { atVenue, resource } from '../../../../kernel/api/resource.ts';
import { lockCustomers, ofMyFamily } from '../../../people/customers/index.ts';
import { changeBusiness } from '../../../platform/providers/index.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { payers } from '../bookings/payer-port.ts';

export const checkin = resource('checkin', {
  description: "A customer's visit to a venue on a day, with or without a booking.",
  fields: {
    id: id(),
    timestamp: instant().from((t) => raw(`${t}.created_at`)),
    comped: boolean(),
    customer_membership: ref('customermembership', 'customer_membership_id')
      .nullable()
      .describe(
        'The membership that the customer checked in with. Checking in takes no use of it. Null if none was named.',
      ),
    customer: ref('customer'),
    venue: ref('venue'),
    date: date().from((t) => raw(`${t}.checkin_date`)),
  },
  visible: { provider: true, customer: (t) => ofMyFamily(`${t}.customer_id`), unregistered: false },
  place: atVenue('venue_id'),
});

interface Settings {
  enabled: boolean;
  granularity: 'business' | 'venue';
  joining_marks_attendance: boolean;
}

async function settingsOf(work: Work): Promise<Settings> {
  const row = await work.tx.one<Settings>(
    sql`SELECT checkin_enabled AS enabled, checkin_granularity AS granularity, joining_marks_attendance FROM provider
      WHERE provider_id = ${work.providerId}`,
  );
  return row!;
}

export const areCheckinsOn = async (work: Work): Promise<boolean> => (await settingsOf(work)).enabled;

const settingsShape = {
  enabled: boolean(),
  granularity: oneOf(['business', 'venue']),
  joining_marks_attendance: boolean(),
};

async function checkGood({ tx }: Work, membership: number, customer: number, on: string): Promise<void> {
  const good = await tx.one(
    sql`SELECT 1 AS good FROM (${payers.filled.usable(customer, sql`${on}::date`)}) u
      WHERE u.id = ${membership} LIMIT 1`,
  );
  if (!good)
    throw invalid('customer_membership', `The customer can't use this membership on ${on}. Name another one, or none.`);
}

interface Visit {
  readonly customer: number;
  readonly venue: number;
  /** day at the business, for example 2031-05-04 */
  readonly date: string;
  readonly comped: boolean;
  /** id of the membership that the customer checks in with */
  readonly membership: number | null;
}

/**
 * Checks a customer in at a venue and returns the check-in, or the one that they already have for the day.
 * @throws Problem if check-ins are off, or if the customer must settle something first
 */
export async function checkInVisitor(
  work: Work,
  { customer, venue, date, comped, membership }: Visit,
): Promise<number> {
  if (membership !== null && comped)
    throw invalid('customer_membership', 'A comped check-in uses no membership. Leave out one of the two.');
  const { enabled, granularity } = await settingsOf(work);
  if (!enabled) throw new Problem(SCHEDULE_PROBLEMS.checkin_disabled, 'Check-ins are switched off for this business.');
  const { providerId, tx } = work;
  // If two desks check in concurrently, the second waits for the first and finds its check-in.
  await lockCustomers(work, [customer]);
  const before = await tx.one<{ id: number; venue_id: number }>(
    sql`SELECT id, venue_id FROM checkin WHERE provider_id = ${providerId} AND customer_id = ${customer}
      AND checkin_date = ${date}
          AND (venue_id = ${venue} OR ${granularity === 'business'}::boolean) ORDER BY id LIMIT 1`,
  );
  // Staff limited to this venue learn that the day is used, but not where.
  if (before && work.viewer.venues?.includes(before.venue_id) === false)
    throw new Problem('conflict', 'The customer has already checked in on this day.');
  if (before) return before.id;
  await checkEntrance(work, customer);
  if (membership !== null) await checkGood(work, membership, customer, date);
  const row = await tx.one<{ id: number }>(
    sql`
      INSERT INTO checkin (provider_id, customer_id, venue_id, checkin_date, comped, customer_membership_id, created_at)
        VALUES (${providerId}, ${customer}, ${venue}, ${date}, ${comped}, ${membership}, ${sqlInstant(work.now)})
        RETURNING id`,
  );
  work.touch('checkin', row!.id, null);
  work.record(checkinFeed.created, row!.id, { checkin: row!.id, customer, venue });
  return row!.id;
}

const checkIn = create(checkin, {
  path: '/checkins',
  summary: 'Check in a customer',
  description:
    'Possible once per day and venue, or once per day if the business counts all venues together. Repeating it returns the same check-in.',
  who: staffWith('attendances', 'instructor_attendances', 'pos'),
  body: {
    date: date(),
    venue: ref('venue'),
    customer: ref('customer'),
    customer_membership: ref('customermembership')
      .nullable()
      .optional()
      .describe('A membership that the customer holds or can use and that is valid on the date.'),
    comped: boolean().default(false),
  },
  problems: [SCHEDULE_PROBLEMS.checkin_disabled, SCHEDULE_PROBLEMS.requirements_missing],
  run: ({ work, body: { customer_membership, ...body } }) =>
    checkInVisitor(work, { ...body, membership: customer_membership ?? null }),
});

const readSettings = read({
  path: '/checkins/settings',
  summary: 'Get the check-in settings',
  description:
    'With `joining_marks_attendance`, customers who join an online event by the link of their booking are marked as attended.',
  who: STAFF,
  returns: answer(settingsShape),
  run: async ({ work }) => settingsOf(work),
});

const changeSettings = (method: 'PUT' | 'PATCH') =>
  action({
    method,
    path: '/checkins/settings',
    summary: 'Update the check-in settings',
    who: staffWith('super_admin'),
    body:
      method === 'PUT'
        ? { ...allOptional(settingsShape), granularity: settingsShape.granularity }
        : allOptional(settingsShape),
    returns: answer(settingsShape),
    run: async ({ work, body }) => {
      const before = await settingsOf(work);
      const after = { ...before, ...body };
      const same = (Object.keys(before) as (keyof Settings)[]).every((name) => before[name] === after[name]);
      await changeBusiness(
        work,
        {
          checkin_enabled: after.enabled,
          checkin_granularity: after.granularity,
          joining_marks_attendance: after.joining_marks_attendance,
        },
        same ? [] : ['checkins'],
      );
      if (!same)
        work.audit({
          action: `${method} /checkins/settings`,
          object: 'provider',
          objectId: work.providerId,
          before,
          after,
        });
      return after;
    },
  });

export const checkinEndpoints = [checkIn, readSettings, changeSettings('PUT'), changeSettings('PATCH')];
