/** What the rules of holds want to know of a membership that somebody holds. */
import { cycleOf, usesOf } from '../use/facts.ts';
import { potOf } from '../use/usage-periods.ts';
import { prorate, usedIn, type Use } from '../use/rules/allotment.ts';
import { limitsOf, type PeriodLimit } from '../../memberships/index.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Cycle } from '../../../../kernel/values/cycle.ts';
import type { Days, Term } from './rules/hold.ts';
import type { Decided, OfPeriod, OtherHold, Usage } from './rules/payment.ts';
import type { HoldLimits } from './rules/limits.ts';
import type { Work } from '../../../../kernel/work.ts';

/** A row of `customer_membership_hold`. */
export interface HoldRow extends Record<string, unknown> {
  readonly id: number;
  readonly customer_membership_id: number;
  readonly start_date: string;
  readonly end_date: string | null;
  readonly days_to_add: number | null;
  readonly prorate_usage: boolean;
  readonly disable_prorates: boolean;
  readonly extend_expirations: boolean;
  readonly made_by: 'customer' | 'staff';
  readonly previous_expiration_date: string | null;
  readonly extended_days: number;
  readonly resolution: Decided;
  readonly credit_adjustment_id: number | null;
  readonly charge_adjustment_id: number | null;
  /** epoch ms */
  readonly held_at: number | null;
  readonly resumed_at: number | null;
}

export interface Holding {
  readonly id: number;
  readonly customer: number;
  readonly status: Term['status'];
  readonly start: string | null;
  readonly end: string | null;
  /** minor units, of a billing period */
  readonly price: number;
  readonly cycle: Cycle | null;
  readonly usage: Usage | null;
  readonly customersCanHold: boolean;
  readonly limits: HoldLimits;
  readonly holds: readonly HoldRow[];
  /** as the database has it, for the audit */
  readonly row: Record<string, unknown>;
}

export const daysOf = ({ start_date: start, end_date: end }: Pick<HoldRow, 'start_date' | 'end_date'>): Days => ({
  start,
  end,
});

const ofPeriod = (amount: number, period: { start_date: string } | null): OfPeriod | null =>
  period === null || amount === 0 ? null : { period: period.start_date, amount };

/** `disable_prorates` leaves what is paid alone: such a hold lowers no worth of a period. */
export const otherHold = (row: HoldRow): OtherHold => ({
  ...daysOf(row),
  prorates: row.prorate_usage && !row.disable_prorates,
  credit: ofPeriod(row.resolution.resolution.credit, row.resolution.start),
  charge: ofPeriod(row.resolution.resolution.charge, row.resolution.reactivation),
});

interface Row extends Record<string, unknown> {
  id: number;
  customer_id: number;
  status: Term['status'];
  start_date: string | null;
  expiration_date: string | null;
  billed_price_minor: number;
  cycle: Cycle | null;
  period_limits: PeriodLimit[];
  uses: Use[];
  can: boolean;
  holds_a_year: number | null;
  days_a_year: number | null;
}

/** As they stand in this transaction; those that are not there are missing. */
export async function readHoldings({ tx, providerId }: Work, ids: readonly number[]): Promise<Map<number, Holding>> {
  const [rows, holds] = (await tx.all([
    sql`SELECT cm.*, ${cycleOf('cm')} AS cycle, ${limitsOf('m')} AS period_limits, ${usesOf('cm', null)} AS uses,
          m.customers_can_hold AS can, m.max_holds_per_year AS holds_a_year, m.max_hold_days_per_year AS days_a_year
        FROM customer_membership cm JOIN membership m ON m.provider_id = cm.provider_id AND m.id = cm.membership_id
        WHERE cm.provider_id = ${providerId} AND cm.id = ANY(${ids}::bigint[])`,
    sql`SELECT * FROM customer_membership_hold WHERE provider_id = ${providerId} AND customer_membership_id = ANY(${ids}::bigint[]) ORDER BY start_date`,
  ])) as unknown as [Row[], HoldRow[]];
  const of = Map.groupBy(holds, (hold) => hold.customer_membership_id);
  return new Map(rows.map((row) => [row.id, holdingOf(row, of.get(row.id) ?? [])]));
}

function holdingOf(
  { cycle, period_limits: limits, uses, can, holds_a_year: most, days_a_year: days, ...row }: Row,
  holds: readonly HoldRow[],
): Holding {
  const term = { start: row.start_date, end: row.expiration_date };
  return {
    id: row.id,
    customer: row.customer_id,
    status: row.status,
    ...term,
    price: row.billed_price_minor,
    cycle,
    usage: usageOf(limits, uses, term),
    customersCanHold: can,
    limits: { holds: most, days },
    holds,
    row,
  };
}

/** The overall number of uses in each billing period, counted and prorated as bookings are. */
function usageOf(
  limits: readonly PeriodLimit[],
  uses: readonly Use[],
  term: { start: string | null; end: string | null },
): Usage | null {
  const limit = limits.find((l) => l.period === 'billing_period' && l.maxUses !== null);
  if (!limit) return null;
  const pot = potOf(limit);
  return {
    max: limit.maxUses!,
    used: (period) => usedIn(pot, period, uses),
    prorated: (period, pauses) => prorate(limit.maxUses!, period, { ...term, pauses })?.max ?? limit.maxUses!,
  };
}
