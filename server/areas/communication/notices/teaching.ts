/** Notices about substitutes: to customers who are booked, and to instructors who now teach or no longer do. */
import { asSet, readSettings } from './write.ts';
import { BOOKING_NOTICES, TEACHING_NOTICES } from '../../scheduling/schedule/index.ts';
import { dayIn, timesIn } from '../../../kernel/base/languages/times.ts';
import { ENGLISH, type Reader } from '../../../kernel/base/languages/languages.ts';
import { queueMessages } from '../messages/index.ts';
import { readEvents, type About } from './of-events.ts';
import { saying } from './messages.ts';
import type { EventFacts } from './event-facts.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Consequence } from '../../../kernel/work/unit/consequence.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const REPLACED = 'event.instructors_changed';

/** The feed item, with its key: notices of one item are queued once. */
export interface Replaced {
  readonly event: number;
  readonly removed: readonly number[];
  readonly added: readonly number[];
  /** the message of staff to customers who are booked */
  readonly notify: string | null;
  readonly key: string;
}

/**
 * Returns true if somebody replaces another instructor. A first instructor is no news to customers who are booked, and
 * if staff wrote a message, it replaces the notice.
 */
const isSubstitution = ({ removed, added, notify }: Replaced): boolean =>
  notify === null && removed.length > 0 && added.length > 0;

/** Builds notices for all customers who are booked or on the waitlist, with the same statements for all events. */
export async function toCustomers(work: Work, all: readonly Replaced[]): Promise<About[]> {
  const substituted = all.filter(isSubstitution);
  if (substituted.length === 0) return [];
  const ids = substituted.map(({ event }) => event);
  const { tx, providerId } = work;
  const [people, names] = await tx.all([
    sql`SELECT event_id, customer_id FROM attendance
      WHERE provider_id = ${providerId} AND event_id = ANY(${ids}::bigint[]) AND status = 'registered'
        UNION SELECT event_id, customer_id FROM waitlist_spot
        WHERE provider_id = ${providerId} AND event_id = ANY(${ids}::bigint[]) AND ended_at IS NULL
        ORDER BY event_id, customer_id`,
    sql`SELECT ei.event_id, string_agg(i.name, ', ' ORDER BY lower(i.name), i.id) AS names FROM event_instructor ei
        JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
        WHERE ei.provider_id = ${providerId} AND ei.event_id = ANY(${ids}::bigint[]) GROUP BY ei.event_id`,
  ]);
  const namesOf = new Map(names.map((row) => [row.event_id as number, row.names as string]));
  const peopleOf = Map.groupBy(people, (row) => row.event_id as number);
  return substituted.flatMap(({ event, key }) => {
    // Another change may have removed the substitute in the meantime.
    const instructors = namesOf.get(event);
    if (instructors === undefined) return [];
    return (peopleOf.get(event) ?? []).map((row) => ({
      type: BOOKING_NOTICES.instructorChanged,
      event,
      customer: row.customer_id as number,
      key,
      values: { instructors },
    }));
  });
}

interface ToStaff {
  readonly staff: number;
  readonly firstName: string;
  readonly what: keyof typeof TEACHING_NOTICES;
  /** one or several events: a series is one message */
  readonly events: readonly EventFacts[];
  readonly key: string;
}

/**
 * Builds two messages for each instructor: one about all events that they now teach, one about all that they no longer
 * teach.
 */
async function toStaff(
  { tx, providerId }: Work,
  all: readonly Replaced[],
  events: ReadonlyMap<number, EventFacts>,
): Promise<ToStaff[]> {
  const rows = await tx.rows<{ id: number; staff: number; first_name: string }>(
    sql`SELECT i.id, s.id AS staff, s.first_name FROM instructor i
      JOIN staff s ON s.provider_id = i.provider_id AND s.id = i.staff_id
        WHERE i.provider_id = ${providerId}
          AND i.id = ANY(${all.flatMap((one) => [...one.removed, ...one.added])}::bigint[]) AND NOT s.archived
        ORDER BY s.id`,
  );
  return rows.flatMap(({ id, staff, first_name: firstName }) =>
    (['assigned', 'removed'] as const).flatMap((what) => {
      const theirs = all.filter((one) => (what === 'assigned' ? one.added : one.removed).includes(id));
      if (theirs.length === 0) return [];
      return {
        staff,
        firstName,
        what,
        events: theirs.map((one) => events.get(one.event)!),
        key: theirs[0].key,
      };
    }),
  );
}

const line = ({ locale }: Reader, { name, starts_at, ends_at, timezone, venue }: EventFacts): string =>
  `- ${name}, ${dayIn(locale, starts_at, timezone)}, ${timesIn(locale, starts_at, ends_at, timezone)}, ${venue}`;

/** Emails each instructor who now teaches something or no longer does, in the language of the business. */
export async function notifyInstructors(
  work: Work,
  all: readonly Replaced[],
  events: ReadonlyMap<number, EventFacts>,
): Promise<void> {
  if (all.length === 0) return;
  const messages = await toStaff(work, all, events);
  const { reader = ENGLISH } = work.tenant;
  const said = saying(work, reader);
  await queueMessages(
    work,
    messages.map(({ staff, firstName, what, events: theirs, key }) => ({
      channel: 'email',
      purpose: 'transactional',
      kind: TEACHING_NOTICES[what].type,
      to: { staff },
      language: reader.language,
      subject: said(`teaching.${what}.subject`),
      text: [
        said('teaching.hello', { name: firstName }),
        said(`teaching.${what}`),
        theirs.map((event) => line(reader, event)).join('\n'),
        theirs[0].business,
      ].join('\n\n'),
      key: `${TEACHING_NOTICES[what].type}:${key}:${staff}`,
    })),
  );
}

/** Previews over everything that the work has recorded: the events of a series are shown together. */
async function previewEffects(work: Work): Promise<void> {
  const recorded = work.recorded
    .filter(({ effect }) => effect === REPLACED)
    .map(({ detail }): Replaced => ({ ...(detail as unknown as Omit<Replaced, 'key'>), key: '' }));
  const events = await readEvents(
    work,
    recorded.map(({ event }) => event),
  );
  const ahead = recorded.filter(({ event }) => events.get(event)!.ends_at > work.now);
  const notice = BOOKING_NOTICES.instructorChanged;
  const { email, sms } = asSet(notice, (await readSettings(work)).get(notice.type), work.tenant);
  for (const { event, customer, type } of email || sms ? await toCustomers(work, ahead) : [])
    work.effect('notice_sent', 'customer', customer, { type: type.type, event });
  for (const { staff, what, events: theirs } of ahead.length > 0 ? await toStaff(work, ahead, events) : [])
    work.effect('notice_sent', 'staff', staff, {
      type: TEACHING_NOTICES[what].type,
      events: theirs.map(({ id }) => id),
    });
}

export const teachingPreview: Consequence = { of: REPLACED, previewEffects };
