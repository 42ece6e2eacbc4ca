/** Doors: whether a customer can come in now, and their check-in. */
import { admit, type AdmissionFacts, type Admits } from './rules/admission.ts';
import {
  areCheckinsOn,
  checkEntrance,
  checkInVisitor,
  markAttendance,
  payers,
} from '../../scheduling/schedule/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { PARTNER_PROBLEMS } from './problems.ts';
import { readEntryCode } from '../../people/customers/index.ts';
import { say, type Text } from '../../../kernel/base/values/words.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Handled } from './handled.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Door {
  readonly venue_id: number;
  readonly admits: Admits;
  readonly opens_minutes_before: number;
  readonly checks_in: boolean;
}

const MINUTE_MS = 60_000;

interface Found extends AdmissionFacts {
  /** the booked event for which the door opens */
  readonly event: number | null;
  readonly attendance: number | null;
  readonly isMarked: boolean;
}

/** Returns the facts about a customer in one statement; null if there is no such customer. */
async function readFacts(work: Work, door: Door, customer: number): Promise<Found | null> {
  const { tx, providerId, now } = work;
  const at = sql`${instant(now)}::timestamptz`;
  const today = wallAt(now, work.tenant.zone).date;
  const row = await tx.one<{
    blocked: boolean;
    member: boolean;
    booking: { event: number; attendance: number; marked: boolean } | null;
    next_starts_at: number | null;
  }>(sql`
    WITH booked AS (
      SELECT a.id, a.event_id, a.status, e.starts_at, e.ends_at FROM attendance a
      JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      WHERE a.provider_id = ${providerId} AND a.customer_id = ${customer} AND a.status IN ('registered', 'attended')
        AND a.place = 'venue' AND e.venue_id = ${door.venue_id} AND e.status = 'active' AND e.ends_at > ${at}
        AND e.starts_at < ${at} + interval '1 day')
    SELECT
      EXISTS (SELECT FROM customer_registration_block b WHERE b.provider_id = c.provider_id AND b.customer_id = c.id
        AND b.lifted_at IS NULL AND (b.ends_at IS NULL OR b.ends_at > ${at})) AS blocked,
      EXISTS (SELECT FROM (${payers.filled.usable(customer, sql`${today}::date`)}) u) AS member,
      (SELECT jsonb_build_object('event', event_id, 'attendance', id, 'marked', status = 'attended') FROM booked
        WHERE starts_at - make_interval(mins => ${door.opens_minutes_before}) <= ${at}
        ORDER BY starts_at, id LIMIT 1) AS booking,
      (SELECT extract(epoch FROM min(starts_at)) * 1000 FROM booked)::float8 AS next_starts_at
    FROM customer c WHERE c.provider_id = ${providerId} AND c.id = ${customer} AND c.deleted_at IS NULL
      AND NOT c.is_walk_in`);
  if (!row) return null;
  const { blocked: isBlocked, member: isMember, booking, next_starts_at: next } = row;
  return {
    isBlocked,
    isMember,
    isBooked: booking !== null,
    opensAt: next === null ? null : Number(next) - door.opens_minutes_before * MINUTE_MS,
    event: booking?.event ?? null,
    attendance: booking?.attendance ?? null,
    isMarked: booking?.marked ?? false,
  };
}

/** Returns a time of day such as 17:30. */
function clockIn(zone: string, at: number): string {
  const { hour, minute } = wallAt(at, zone);
  return [hour, minute].map((n) => String(n).padStart(2, '0')).join(':');
}

/** The refusal whose reason only staff may know. */
export const ASK = say`Please ask at the desk.`;

function refusal(
  work: Work,
  refused: 'blocked' | 'too_early' | 'not_booked' | 'nothing_valid',
  opensAt: number | null,
) {
  const at = opensAt === null ? '' : clockIn(work.tenant.zone, opensAt);
  const message: Text = {
    blocked: ASK,
    too_early: say`It’s too early: the door opens for you at ${at}.`,
    not_booked: say`You’re not booked here now. Book on our website, then scan your code again.`,
    nothing_valid: say`Nothing that you have lets you in now. Our website shows what does.`,
  }[refused];
  return new Problem(PARTNER_PROBLEMS.entry_refused, message);
}

/**
 * Lets the customer with this code in, or refuses with the reason. Those who come in for an event are marked as
 * attended, and checked in at the venue if the business uses check-ins.
 */
export async function enter(work: Work, door: Door, code: string | undefined): Promise<Handled> {
  if (code === undefined) throw invalid('code', 'Send the code that was scanned.');
  const customer = await readEntryCode(work, work.installation.box, code);
  const found = customer === null ? null : await readFacts(work, door, customer);
  if (customer === null || !found)
    throw new Problem(
      PARTNER_PROBLEMS.entry_code_unknown,
      say`This code isn’t known here. Open your pass in your account, or ask at the desk.`,
    );
  const decided = admit(door.admits, found);
  if ('refused' in decided) throw refusal(work, decided.refused, found.opensAt);
  await checkEntrance(work, customer);
  if (door.checks_in) {
    if (await areCheckinsOn(work))
      await checkInVisitor(work, {
        customer,
        venue: door.venue_id,
        date: wallAt(work.now, work.tenant.zone).date,
        comped: false,
        membership: null,
      });
    if (found.event !== null && !found.isMarked)
      await markAttendance(work, { event: found.event, customer }, 'attended');
  }
  return { customer, event: found.event, attendance: found.attendance, reason: decided.by };
}
