import { activeHold, holdsOf } from './use/hold-facts.ts';
import { allowedCancellation } from './rules/contract.ts';
import { billedAhead } from './renewals/rules/renewal.ts';
import { boundLimits, cycleOf, usesOf, type BoundFacts } from './use/facts.ts';
import {
  boolean,
  date,
  id,
  idsOf,
  integer,
  listOf,
  money,
  object,
  oneOf,
  ref,
  refBy,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { limitsIn, periodOf, type UsageFacts } from './use/usage-periods.ts';
import { limitsOf } from '../memberships/index.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { nextStart, type Cycle } from '../../../kernel/base/values/cycle.ts';
import { PRICES } from '../../money/account-entries/index.ts';
import { priceEditOf } from './prices/prices.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { STATUSES } from './rules/status.ts';
import { unpaidInvoiceOf } from './use/unpaid.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Field, Wire } from '../../../kernel/base/fields/field.ts';

export const CANCELLATION_REASONS = ['upgraded', 'cancelled', 'mistake', 'downgraded', 'no_auto_renew'] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

const nameOf = (t: string): Sql =>
  raw(`(SELECT m.name FROM membership m WHERE m.provider_id = ${t}.provider_id AND m.id = ${t}.membership_id)`);

const mayBeHeld = (t: string): Sql =>
  raw(
    `(SELECT m.customers_can_hold FROM membership m
      WHERE m.provider_id = ${t}.provider_id AND m.id = ${t}.membership_id)`,
  );

/** Returns the first day of the next billing period; null if there is none. */
function nextPeriod(
  cycle: Cycle | null,
  { today, start, end, status }: { today: string; start: string | null; end: string | null; status: string },
): string | null {
  if (cycle === null || start === null || status === 'completed' || status === 'cancelled') return null;
  const from = today < start ? start : today;
  const next = nextStart(cycle, from);
  return end !== null && next > end ? null : next;
}

const periodColumns = (t: string): Sql[] => [
  cycleOf(t),
  raw(`${t}.start_date`),
  raw(`${t}.expiration_date`),
  raw(`${t}.status`),
];

const renewal = (): Field<string | null> =>
  date()
    .nullable()
    .computed(periodColumns, ([cycle, start, end, status], { now, zone }: Wire) =>
      nextPeriod(cycle === null ? null : JSON.parse(cycle), {
        today: wallAt(now, zone).date,
        start,
        end,
        status: status!,
      }),
    );

/**
 * Returns the field for the start of the next period that is billed: those that begin within a hold cost nothing. Of
 * an imported plan, the date is either before or after somebody has approved that it is billed.
 */
const nextBilling = (awaits: boolean): Field<string | null> =>
  date()
    .nullable()
    .computed(
      (t) => [...periodColumns(t), holdsOf(t), raw(`${t}.awaits_approval::text`)],
      ([cycle, start, end, status, holds, waits], { now, zone }: Wire) => {
        const periods: Cycle | null = cycle === null || (waits === 'true') !== awaits ? null : JSON.parse(cycle);
        const next = nextPeriod(periods, { today: wallAt(now, zone).date, start, end, status: status! });
        if (periods === null || next === null) return null;
        const [billed] = billedAhead({ cycle: periods, renewsOn: next, end, holds: JSON.parse(holds!) }).take(1);
        return billed?.period.start ?? null;
      },
    );

/**
 * Returns the field for the last day after a cancellation now, computed for each request: the first end that respects
 * the notice period can change from day to day.
 */
const lastDayToCancel = (): Field<string | null> =>
  date()
    .nullable()
    .computed(
      (t) => [boundLimits(t)],
      ([facts], { now, zone }: Wire) => {
        const { agreed, ...bound }: BoundFacts = JSON.parse(facts ?? '{}');
        return agreed ? allowedCancellation(agreed, bound, wallAt(now, zone).date) : null;
      },
    );

const usageColumns = (t: string): Sql[] => [
  cycleOf(t),
  raw(`${t}.start_date`),
  raw(`${t}.expiration_date`),
  holdsOf(t),
  usesOf(t, null),
  sql`(SELECT ${limitsOf('m')} FROM membership m
    WHERE m.provider_id = ${raw(t)}.provider_id AND m.id = ${raw(t)}.membership_id)`,
];

const usagePeriod = {
  period_type: text(),
  start_date: date().nullable(),
  end_date: date().nullable().describe('The last day.'),
  max_uses: integer({ min: 0 }).nullable().describe('Null means no limit.'),
  used_count: integer(),
  remaining_count: integer({ min: 0 }).nullable(),
};

/** Today's numbers of `usage`, without limits by offering type and without the effects of holds. */
const usageSummary = () =>
  listOf(object(usagePeriod)).computed(
    usageColumns,
    ([cycle, start, end, holds, uses, limits], { now, zone }: Wire) => {
      const facts: UsageFacts = {
        cycle: JSON.parse(cycle ?? 'null'),
        start,
        end,
        holds: JSON.parse(holds!),
        uses: JSON.parse(uses!),
        limits: JSON.parse(limits!),
      };
      return limitsIn(facts).map((limit) => {
        const { prorate_adjustment: _, ...shown } = periodOf(limit, facts, wallAt(now, zone).date);
        return shown;
      });
    },
  );

/** Memberships of the viewer, of their family, and those shared with any of them. */
const usedByMyFamily = (t: string): Sql => sql`(${ofMyFamily(`${t}.customer_id`)} OR ${raw(t)}.id IN (
  SELECT s.customer_membership_id FROM customer_membership_share s
  WHERE s.provider_id = current_provider_id() AND ${ofMyFamily('s.customer_id')}))`;

export const customerMembership = resource('customermembership', {
  description: 'A membership that a customer holds: its dates, its status, and the price that was agreed.',
  table: 'customer_membership',
  fields: {
    id: id(),
    name: text().from(nameOf).describe('The name of the membership.'),
    start_date: date()
      .nullable()
      .describe('If it begins with the first use, null until the first event that it is used for.'),
    expiration_date: date().nullable().describe('The last day. Null if it has no end.'),
    renewal_date: renewal().describe('The day on which the next billing period begins. Null if nothing is renewed.'),
    status: oneOf(STATUSES),
    membership: ref('membership'),
    customer: ref('customer'),
    shared_with: idsOf('customer', {
      table: 'customer_membership_share',
      parent: 'customer_membership_id',
      child: 'customer_id',
    }).describe('Customers who can also use it. They all share the same uses.'),
    payment_plan: ref('membership_payment_plan', 'payment_plan_id')
      .nullable()
      .describe('Null if it is not a recurring plan.'),
    billed_price: money()
      .from((t) => raw(`${t}.billed_price_minor`))
      .describe('The agreed price, for the whole membership or for each billing period.'),
    active_hold: refBy('customer_membership_hold', activeHold)
      .nullable()
      .describe('The current hold, or the next one.'),
    customers_can_hold: boolean().from(mayBeHeld).deferred().describe('Customers can put it on hold themselves.'),
    unpaid_invoice: refBy('invoice', unpaidInvoiceOf)
      .nullable()
      .describe('Must be paid before it can be used. Null if none.'),
    is_set_for_cancellation: boolean().describe('True if it was cancelled and ends with its last day.'),
    cancellation_reason: oneOf(CANCELLATION_REASONS).nullable(),
    cancelled_by_customer: boolean()
      .deferred()
      .describe('True if a customer cancelled it, who can then reactivate it until its last day has passed.'),
    price_edit: refBy('bulk_action', priceEditOf)
      .nullable()
      .deferred()
      .describe('The last action that was requested to change its price. Null if there was none.'),
    awaits_approval: boolean()
      .deferred()
      .describe('True for an imported plan that is not billed before `POST /customer_memberships/approve_renewals`.'),
    first_charge_date: nextBilling(true)
      .deferred()
      .describe('When a plan that awaits approval would first be billed. Null for all others.'),
    next_billing_date: nextBilling(false)
      .deferred()
      .describe(
        'When the price is next due. Billing periods that begin during a hold are left out. Null if never, or until somebody ends the hold.',
      ),
    usage_summary: usageSummary()
      .deferred()
      .describe(
        'Number of uses so far and uses left, for each current period of its allotment. `GET /customer_memberships/{id}/usage` returns the details.',
      ),
    allowed_cancellation_date: lastDayToCancel()
      .deferred()
      .describe(
        'The last day that it would have if it were cancelled now, considering its commitment and its notice. Null if it is not a recurring plan.',
      ),
  },
  visible: { provider: true, customer: usedByMyFamily, unregistered: false },
  shown: { billed_price: PRICES, awaits_approval: { customer: false }, first_charge_date: { customer: false } },
});
