/** The facts for the rules: current bookings, strikes, and penalties that are not charged yet. */
import { counts, type AppliesTo, type Infraction, type Pending, type Rule, type Strike } from './rules/sequences.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A booking that a membership paid for, or would have. */
export interface Booking {
  readonly attendance: number;
  readonly event: number;
  readonly customer: number;
  readonly event_name: string;
  /** in epoch milliseconds */
  readonly starts_at: number;
  /** its current infraction; null if there is none */
  readonly infraction: Infraction | null;
  readonly cancelled: boolean;
  /** time of the cancellation in epoch milliseconds, if it was cancelled */
  readonly cancelled_at: number | null;
  /** null if no membership paid */
  readonly customer_membership: number | null;
  readonly membership: number | null;
}

/**
 * Reads bookings, selected by `which` over attendances with the alias `a` and their event `e`. The membership is the
 * one whose use is open, or was credited for an absence: an absence that costs no use may cost a fee.
 */
export const readBookings = ({ tx, providerId }: Work, which: Sql): Promise<Booking[]> =>
  tx.rows<Booking>(sql`
    SELECT a.id AS attendance, a.event_id AS event, a.customer_id AS customer, e.name AS event_name, e.starts_at,
      e.status = 'cancelled' AS cancelled, a.cancelled_at,
           CASE WHEN e.status = 'cancelled' OR cm.cancellation_reason = 'mistake' THEN NULL
             WHEN a.status = 'late_cancelled' THEN 'late_cancel'
             WHEN a.status = 'no_show' THEN 'no_show' END AS infraction,
           cm.id AS customer_membership, cm.membership_id AS membership
    FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
    LEFT JOIN LATERAL (
      SELECT n.customer_membership_id FROM entitlement_entry n
      WHERE n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.amount < 0
        AND (n.open OR EXISTS (SELECT FROM entitlement_entry b
          WHERE b.provider_id = n.provider_id AND b.reverses_id = n.id AND b.reason = 'no_show'))
      ORDER BY n.open DESC, n.id DESC LIMIT 1) paid ON true
    LEFT JOIN customer_membership cm ON cm.provider_id = a.provider_id AND cm.id = paid.customer_membership_id
    WHERE a.provider_id = ${providerId} AND ${which} ORDER BY a.id`);

/** A rule with its system. */
export interface RuleOf extends Rule {
  readonly system: number;
  readonly appliesTo: AppliesTo;
  readonly deferredDays: number;
}

interface RuleRow {
  readonly id: number;
  readonly membership_penalty_system_id: number;
  readonly applies_to: AppliesTo;
  readonly price_minor: number;
  readonly max_infractions: number;
  readonly days: number;
  readonly deferred_charge_days: number;
}

const ruleOf = (row: RuleRow): RuleOf => ({
  id: row.id,
  system: row.membership_penalty_system_id,
  appliesTo: row.applies_to,
  price: row.price_minor,
  maxInfractions: row.max_infractions,
  days: row.days,
  deferredDays: row.deferred_charge_days,
});

/** A strike with its readable details. */
export interface KnownStrike extends Strike {
  readonly appliesTo: AppliesTo;
  readonly system: number;
  readonly type: Infraction;
  readonly customer: number;
  readonly event: number;
  readonly eventName: string;
}

/** The penalty account of one customer membership. */
export interface Account {
  readonly customerMembership: number;
  /** customer who owns it and pays */
  readonly owner: number;
  readonly rules: ReadonlyMap<number, RuleOf>;
  /** strikes that count, without those that were charged for */
  readonly strikes: readonly KnownStrike[];
  readonly pending: readonly Pending[];
  /** bookings that were charged for */
  readonly charged: ReadonlySet<number>;
}

const dayOf = (work: Work, at: number): string => wallAt(at, work.tenant.zone).date;

/** Returns the strike of a booking under a rule. */
export const describeStrike = (work: Work, id: number, rule: RuleOf, booking: Booking): KnownStrike => ({
  id,
  rule: rule.id,
  appliesTo: rule.appliesTo,
  system: rule.system,
  attendance: booking.attendance,
  at: booking.starts_at,
  on: dayOf(work, booking.starts_at),
  type: booking.infraction!,
  customer: booking.customer,
  event: booking.event,
  eventName: booking.event_name,
});

export async function readAccounts(work: Work, customerMemberships: readonly number[]): Promise<Account[]> {
  const { tx, providerId } = work;
  const of = sql`provider_id = ${providerId} AND customer_membership_id = ANY(${customerMemberships}::bigint[])`;
  const [strikes, penalties, charged, owners] = (await tx.all([
    sql`SELECT s.id, s.customer_membership_id, s.rule_id, s.type, s.attendance_id, e.starts_at, e.id AS event_id,
      e.name AS event_name, a.customer_id
        FROM membership_strike s JOIN attendance a ON a.provider_id = s.provider_id AND a.id = s.attendance_id
        JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
        LEFT JOIN membership_penalty p ON p.provider_id = s.provider_id AND p.id = s.penalty_id
        WHERE s.provider_id = ${providerId} AND s.customer_membership_id = ANY(${customerMemberships}::bigint[])
          AND s.ended_at IS NULL AND p.charged_at IS NULL ORDER BY s.id`,
    sql`SELECT p.id, p.customer_membership_id, p.rule_id, p.skipped,
               coalesce((SELECT jsonb_agg(s.id ORDER BY s.sequence_position) FROM membership_strike s
                 WHERE s.provider_id = p.provider_id AND s.penalty_id = p.id), '[]') AS strikes
        FROM membership_penalty p WHERE ${of} AND charged_at IS NULL AND voided_at IS NULL ORDER BY p.id`,
    sql`SELECT p.customer_membership_id, s.attendance_id FROM membership_penalty p
        JOIN membership_penalty_rule r ON r.provider_id = p.provider_id AND r.id = p.rule_id
        JOIN membership_strike s ON s.provider_id = p.provider_id AND s.penalty_id = p.id
          AND s.sequence_position > r.max_infractions
        WHERE p.provider_id = ${providerId} AND p.customer_membership_id = ANY(${customerMemberships}::bigint[])
          AND p.charged_at IS NOT NULL AND s.attendance_id IS NOT NULL`,
    sql`SELECT id, customer_id FROM customer_membership
      WHERE provider_id = ${providerId} AND id = ANY(${customerMemberships}::bigint[])`,
  ])) as Record<string, any>[][];
  const ruleIds = [...new Set([...strikes, ...penalties].map((row) => row.rule_id as number))];
  const rules = new Map((await readRules(work, sql`r.id = ANY(${ruleIds}::bigint[])`)).map((rule) => [rule.id, rule]));
  return customerMemberships.map((customerMembership) => {
    const mine = (row: Record<string, any>): boolean => row.customer_membership_id === customerMembership;
    return {
      customerMembership,
      owner: owners.find((row) => row.id === customerMembership)!.customer_id,
      rules,
      strikes: strikes.filter(mine).map((row) => ({
        id: row.id,
        rule: row.rule_id,
        appliesTo: rules.get(row.rule_id)!.appliesTo,
        system: rules.get(row.rule_id)!.system,
        attendance: row.attendance_id,
        at: row.starts_at,
        on: dayOf(work, row.starts_at),
        type: row.type,
        customer: row.customer_id,
        event: row.event_id,
        eventName: row.event_name,
      })),
      pending: penalties
        .filter(mine)
        .map((row) => ({ id: row.id, rule: row.rule_id, strikes: row.strikes, skipped: row.skipped })),
      charged: new Set(charged.filter(mine).map((row) => row.attendance_id)),
    };
  });
}

/** Reads rules, selected by `which` with the alias `r`. */
async function readRules({ tx, providerId }: Work, which: Sql): Promise<RuleOf[]> {
  const rows = await tx.rows<RuleRow>(sql`SELECT r.*, s.deferred_charge_days FROM membership_penalty_rule r
    JOIN membership_penalty_system s ON s.provider_id = r.provider_id AND s.id = r.membership_penalty_system_id
    WHERE r.provider_id = ${providerId} AND ${which} ORDER BY r.id`);
  return rows.map(ruleOf);
}

interface Judging extends RuleOf {
  readonly membership: number;
  /** start and end of its validity for the membership, in epoch milliseconds; `to` is null while it applies */
  readonly from: number;
  readonly to: number | null;
}

/** Reads all current and past rules for these memberships. */
export async function readJudging({ tx, providerId }: Work, memberships: readonly number[]): Promise<Judging[]> {
  const rows = await tx.rows<RuleRow & { membership_id: number; from: number; to: number | null }>(sql`
    SELECT r.*, s.deferred_charge_days, l.membership_id, greatest(r.created_at, l.counts_from) AS from,
      least(r.ended_at, s.archived_at) AS to
    FROM membership_penalty_system_membership l
    JOIN membership_penalty_system s ON s.provider_id = l.provider_id AND s.id = l.membership_penalty_system_id
    JOIN membership_penalty_rule r ON r.provider_id = l.provider_id
      AND r.membership_penalty_system_id = l.membership_penalty_system_id
    WHERE l.provider_id = ${providerId} AND l.membership_id = ANY(${memberships}::bigint[]) ORDER BY r.id`);
  return rows.map((row) => ({ ...ruleOf(row), membership: row.membership_id, from: row.from, to: row.to }));
}

/** Returns the time of the infraction: for an absence the start of the event, whenever it was marked. */
const happenedAt = (booking: Booking, now: number): number =>
  booking.infraction === 'no_show' ? booking.starts_at : (booking.cancelled_at ?? now);

/** Returns the rules that a booking breaks, among those that applied at the time of the infraction. */
export function broken(booking: Booking, rules: readonly Judging[], now: number): Judging[] {
  const { infraction } = booking;
  if (infraction === null || booking.membership === null) return [];
  const at = happenedAt(booking, now);
  return rules.filter(
    (rule) =>
      rule.membership === booking.membership &&
      counts(rule.appliesTo, infraction) &&
      rule.from <= at &&
      (rule.to === null || rule.to > at),
  );
}
