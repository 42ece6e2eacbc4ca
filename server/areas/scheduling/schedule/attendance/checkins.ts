import { action, answer, create, read, STAFF, staffWith } from '../../../../kernel/api/endpoint.ts';
import { boolean, date, id, instant, oneOf, ref } from '../../../../kernel/base/fields/kinds.ts';
import { allOptional } from '../../../../kernel/base/fields/field.ts';
import { instant as sqlInstant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { checkinCreated } from '../feed.ts';
import { atVenue, resource } from '../../../../kernel/api/resource.ts';
import { lockCustomers, ofMyFamily } from '../../../people/customers/index.ts';
import { payers } from '../bookings/payer-port.ts';
import { changeBusiness } from '../../../platform/providers/index.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

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
}

async function settingsOf(work: Work): Promise<Settings> {
  const row = await work.tx.one<Settings>(
    sql`SELECT checkin_enabled AS enabled, checkin_granularity AS granularity FROM provider WHERE provider_id = ${work.providerId}`,
  );
  return row!;
}

const settingsShape = { enabled: boolean(), granularity: oneOf(['business', 'venue']) };

async function checkGood({ tx }: Work, membership: number, customer: number, on: string): Promise<void> {
  const good = await tx.one(
    sql`SELECT 1 AS good FROM (${payers.filled.usable(customer, sql`${on}::date`)}) u WHERE u.id = ${membership} LIMIT 1`,
  );
  if (!good)
    throw invalid('customer_membership', `The customer can't use this membership on ${on}. Name another one, or none.`);
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
  problems: [SCHEDULE_PROBLEMS.checkin_disabled],
  run: async ({ work, body }) => {
    const membership = body.customer_membership ?? null;
    if (membership !== null && body.comped)
      throw invalid('customer_membership', 'A comped check-in uses no membership. Leave out one of the two.');
    const { enabled, granularity } = await settingsOf(work);
    if (!enabled)
      throw new Problem(SCHEDULE_PROBLEMS.checkin_disabled, 'Check-ins are switched off for this business.');
    const { providerId, tx } = work;
    // If two desks check in concurrently, the second waits for the first and finds its check-in.
    await lockCustomers(work, [body.customer]);
    const before = await tx.one<{ id: number; venue_id: number }>(
      sql`SELECT id, venue_id FROM checkin WHERE provider_id = ${providerId} AND customer_id = ${body.customer} AND checkin_date = ${body.date}
            AND (venue_id = ${body.venue} OR ${granularity === 'business'}::boolean) ORDER BY id LIMIT 1`,
    );
    // Staff limited to this venue learn that the day is used, but not where.
    if (before && work.viewer.venues?.includes(before.venue_id) === false)
      throw new Problem('conflict', 'The customer has already checked in on this day.');
    if (before) return before.id;
    if (membership !== null) await checkGood(work, membership, body.customer, body.date);
    const row = await tx.one<{ id: number }>(
      sql`INSERT INTO checkin (provider_id, customer_id, venue_id, checkin_date, comped, customer_membership_id, created_at)
          VALUES (${providerId}, ${body.customer}, ${body.venue}, ${body.date}, ${body.comped}, ${membership}, ${sqlInstant(work.now)}) RETURNING id`,
    );
    work.touch('checkin', row!.id, null);
    work.record(checkinCreated, row!.id, { checkin: row!.id, customer: body.customer, venue: body.venue });
    return row!.id;
  },
});

const readSettings = read({
  path: '/checkins/settings',
  summary: 'Get the check-in settings',
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
      method === 'PUT' ? { ...settingsShape, enabled: settingsShape.enabled.optional() } : allOptional(settingsShape),
    returns: answer(settingsShape),
    run: async ({ work, body }) => {
      const before = await settingsOf(work);
      const after = { ...before, ...body };
      const same = before.enabled === after.enabled && before.granularity === after.granularity;
      await changeBusiness(
        work,
        { checkin_enabled: after.enabled, checkin_granularity: after.granularity },
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
