/** Waivers that apply to customers, with the signatures that count. */
import { appliesToHeld, appliesToType } from './waiver.ts';
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { signerOf, unsigned, type Signer, type WaiverFacts } from './rules/signing.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { EntranceRule, RequirementSource } from '../../scheduling/schedule/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns the address of the page on which a waiver is signed for one person. */
export const waiverPath = (provider: number, waiver: number, customer: number): string =>
  `/account/${provider}/waivers/${waiver}/${customer}`;

/** Returns `WaiverFacts` about waiver `w` and the customer with this id as jsonb. */
export const waiverFacts = (w: string, customer: Sql, born: Sql): Sql =>
  sql`jsonb_build_object('id', ${raw(w)}.id, 'title', ${raw(w)}.name, 'ifUnsigned', ${raw(w)}.if_unsigned,
    'guardianUnder', ${raw(w)}.guardian_under_age, 'born', ${born}, 'signed', (
      SELECT jsonb_build_object('until', extract(epoch FROM aw.signed_at + ${raw(w)}.valid_for::interval) * 1000)
      FROM waiver_agreement aw
      JOIN waiver_version vw ON vw.provider_id = aw.provider_id AND vw.id = aw.waiver_version_id
      WHERE aw.provider_id = ${raw(w)}.provider_id AND aw.customer_id = ${customer} AND aw.waiver_id = ${raw(w)}.id
        AND NOT EXISTS (SELECT FROM waiver_version xw WHERE xw.provider_id = vw.provider_id
          AND xw.waiver_id = vw.waiver_id AND xw.asks_again AND xw.number > vw.number)
      ORDER BY aw.signed_at DESC LIMIT 1))`;

const today = (now: number): string => wallAt(now, 'UTC').date;

export const waiverRequirement: RequirementSource<readonly WaiverFacts[]> = {
  name: 'waiver',
  description: 'A waiver that is signed for the offering type of the event, for a membership, or by everyone.',
  resource: 'waiver',
  facts: (c, event) =>
    sql`(SELECT jsonb_agg(${waiverFacts('rw', raw(`${c}.id`), raw(`${c}.date_of_birth`))} ORDER BY rw.id)
      FROM waiver rw
      JOIN event ew ON ew.provider_id = rw.provider_id AND ew.id = ${event}
      WHERE rw.provider_id = ${raw(c)}.provider_id AND NOT rw.archived
        AND (rw.at_signup OR ${appliesToType('rw', raw('ew.offering_type_id'))}
          OR ${appliesToHeld('rw', raw(`${c}.id`))}))`,
  missing: (waivers, { now }) =>
    unsigned(waivers, now).map((one) => ({
      id: one.id,
      title: one.title,
      by: signerOf(one, today(now)),
      before: one.ifUnsigned === 'refuse_booking' ? 'booking' : 'check_in',
    })),
  path: waiverPath,
};

/** Matches offering types of bookings that the customer has from yesterday on. */
const appliesToBooked = (w: string, customer: Sql, now: Sql): Sql =>
  sql`(${raw(w)}.offering_types_applies_to <> 'none' AND EXISTS (SELECT FROM attendance b
    JOIN event e ON e.provider_id = b.provider_id AND e.id = b.event_id
      AND e.starts_at > ${now}::timestamptz - interval '1 day'
    WHERE b.provider_id = ${raw(w)}.provider_id AND b.customer_id = ${customer}
      AND b.status IN ('registered', 'attended') AND ${appliesToType(w, raw('e.offering_type_id'))}))`;

/** Matches waivers that apply to a customer: everyone signs it, or for a membership or a booking that they have. */
export const appliesTo = (w: string, customer: Sql, now: Sql): Sql =>
  sql`(${raw(w)}.at_signup OR ${appliesToHeld(w, customer)} OR ${appliesToBooked(w, customer, now)})`;

/** Matches waivers of which a customer has a signature that counts, as `unsigned` decides it. */
export const isSigned = (w: string, customer: Sql, now: Sql): Sql =>
  sql`EXISTS (SELECT FROM waiver_agreement s
    JOIN waiver_version k ON k.provider_id = s.provider_id AND k.id = s.waiver_version_id
    WHERE s.provider_id = ${raw(w)}.provider_id AND s.customer_id = ${customer} AND s.waiver_id = ${raw(w)}.id
      AND (${raw(w)}.valid_for IS NULL OR s.signed_at + ${raw(w)}.valid_for::interval > ${now}::timestamptz)
      AND NOT EXISTS (SELECT FROM waiver_version n WHERE n.provider_id = k.provider_id AND n.waiver_id = k.waiver_id
        AND n.asks_again AND n.number > k.number))`;

/** Narrows whose signatures are read. */
export interface Whose {
  /** absent: all customers */
  readonly customers?: readonly number[];
  /** everybody who is booked for this event */
  readonly event?: number;
  readonly waiver?: number;
  readonly limit: number;
  readonly offset?: number;
}

/** A waiver that a customer has not signed. */
export interface Unsigned {
  readonly customer: number;
  readonly name: string;
  readonly waiver: WaiverFacts;
  readonly by: Signer;
}

/** Returns the waivers that apply to customers and aren't signed, by the names of customers, in one statement. */
export async function readUnsigned(
  { tx, providerId, now }: Pick<Work, 'tx' | 'providerId' | 'now'>,
  { customers, event, waiver, limit, offset = 0 }: Whose,
): Promise<{ readonly count: number; readonly results: Unsigned[] }> {
  const isOn =
    event === undefined
      ? sql`false`
      : sql`EXISTS (SELECT FROM event n WHERE n.provider_id = w.provider_id
    AND n.id = ${event} AND ${appliesToType('w', raw('n.offering_type_id'))})`;
  const rows = await tx.rows<{ customer: number; name: string; waiver: WaiverFacts; count: number }>(sql`
    SELECT customer, name, waiver, count(*) OVER ()::int AS count FROM (
      SELECT c.id AS customer, concat_ws(' ', c.first_name, c.last_name) AS name, c.last_name, c.first_name,
        w.id AS w, ${waiverFacts('w', raw('c.id'), raw('c.date_of_birth'))} AS waiver
      FROM customer c JOIN waiver w ON w.provider_id = c.provider_id AND NOT w.archived
        ${waiver === undefined ? sql`` : sql`AND w.id = ${waiver}`}
      WHERE c.provider_id = ${providerId} AND c.deleted_at IS NULL AND NOT c.is_lead AND NOT c.is_walk_in
        ${customers === undefined ? sql`` : sql`AND c.id = ANY(${customers}::bigint[])`}
        ${
          event === undefined
            ? sql``
            : sql`AND c.id IN (SELECT a.customer_id FROM attendance a
          WHERE a.provider_id = ${providerId} AND a.event_id = ${event} AND a.status IN ('registered', 'attended'))`
        }
        AND (${isOn} OR ${appliesTo('w', raw('c.id'), sql`${instant(now)}`)})) known
    WHERE waiver ->> 'signed' IS NULL OR (waiver -> 'signed' ->> 'until')::numeric <= ${now}
    ORDER BY last_name, first_name, customer, w LIMIT ${limit} OFFSET ${offset}`);
  return {
    count: rows[0]?.count ?? 0,
    results: rows.map(({ customer, name, waiver: one }) => ({
      customer,
      name,
      waiver: one,
      by: signerOf(one, today(now)),
    })),
  };
}

/** Refuses check-ins until the waivers are signed that the business asks for at the door. */
export const waiverAtDoor: EntranceRule = {
  name: 'waiver',
  description: 'A waiver that must be signed before a check-in.',
  missing: async (work, customer) =>
    (await readUnsigned(work, { customers: [customer], limit: 100 })).results
      .filter(({ waiver }) => waiver.ifUnsigned !== 'show_at_door')
      .map(({ waiver: { id, title } }) => ({
        kind: 'waiver',
        id,
        title,
        customer,
        path: waiverPath(work.providerId, id, customer),
      })),
};
