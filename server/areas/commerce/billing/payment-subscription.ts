/** The payment of a customer's recurring plan. */
import { date, id, instant, integer, ref, refBy } from '../../../kernel/base/fields/kinds.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { PRICES } from '../../money/account-entries/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Properties } from '../../../kernel/api/resource.ts';

/** Selects a column of the membership that it pays for. */
const ofMembership = (t: string, what: string): Sql =>
  raw(`(SELECT ${what} FROM customer_membership owned WHERE owned.provider_id = ${t}.provider_id
    AND owned.id = ${t}.customer_membership_id)`);

/** Selects the method charged next: the chosen one, otherwise the payer's newest. */
const charged = (t: string): Sql =>
  ofMembership(t, `charged_method(owned.provider_id, owned.customer_id, ${t}.payment_method_id)`);

/** Selects a column of its oldest unpaid invoice whose payment has failed. */
const ofUnpaid = (t: string, what: string): Sql =>
  raw(`(SELECT ${what} FROM billing_collection c JOIN invoice i ON i.provider_id = c.provider_id AND i.id = c.invoice_id
    WHERE c.provider_id = ${t}.provider_id AND c.customer_membership_id = ${t}.customer_membership_id
      AND c.state <> 'settled' AND c.failures > 0 AND i.due_minor > 0 ORDER BY c.invoice_id LIMIT 1)`);

/** Selects whether it has such an invoice. */
export const isUnpaid = (t: string): Sql => sql`${ofUnpaid(t, 'c.invoice_id')} IS NOT NULL`;

export const paymentSubscription = resource('payment_subscription', {
  description:
    'The payment of a recurring plan that a customer owns. Each billing period is invoiced on its first day, and charged to the payment method.',
  fields: {
    id: id(),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    plan: refBy('membership_payment_plan', (t) => ofMembership(t, 'owned.payment_plan_id')).nullable(),
    retry_count: integer({ min: 0 })
      .from((t) =>
        raw(`
          (SELECT coalesce(max(greatest(c.failures + CASE WHEN c.payment_id IS NULL THEN 0 ELSE 1 END - 1, 0)), 0)::int
          FROM billing_collection c WHERE c.provider_id = ${t}.provider_id
            AND c.customer_membership_id = ${t}.customer_membership_id AND c.state <> 'settled')`),
      )
      .describe('Number of retries of the payment of its last unpaid invoice. 0 if everything is paid.'),
    unpaid_invoice: refBy('invoice', (t) => ofUnpaid(t, 'c.invoice_id'))
      .nullable()
      .describe('Its oldest invoice whose payment has failed and that is not paid. Null if there is none.'),
    next_retry_at: instant()
      .nullable()
      .from((t) => ofUnpaid(t, 'c.next_at'))
      .describe('When the payment of `unpaid_invoice` is tried again. Null if it is not, or if a payment runs.'),
    suspends_at: instant()
      .nullable()
      .from((t) => ofUnpaid(t, 'c.block_at'))
      .describe(
        'Time from which bookings with the membership are refused unless `unpaid_invoice` is paid by then. Null if they are not refused, or are refused already: then `unpaid_invoice` of the membership is set.',
      ),
    start_date: date().from((t) => ofMembership(t, 'owned.start_date')),
    end_date: date()
      .nullable()
      .from((t) => ofMembership(t, 'owned.expiration_date'))
      .describe('The last day of the membership. Null if it has no end.'),
    payment_method: refBy('payment_method', charged)
      .nullable()
      .describe(
        'Payment method that is charged next: the one chosen for this plan, or the newest one of the person who pays. A manager of the family pays for its children. If null, invoices are sent instead.',
      ),
  },
  visible: {
    provider: true,
    customer: (t) =>
      sql`EXISTS (SELECT FROM customer_membership owned WHERE owned.provider_id = ${raw(t)}.provider_id
        AND owned.id = ${raw(t)}.customer_membership_id AND ${ofMyPurse('owned.customer_id')})`,
    unregistered: false,
  },
});

/** Properties that billing adds to customer memberships. */
export const membershipProperties: Properties = {
  fields: {
    payment_subscription: refBy('payment_subscription', (t) =>
      raw(`(SELECT s.id FROM payment_subscription s WHERE s.provider_id = ${t}.provider_id
        AND s.customer_membership_id = ${t}.id)`),
    )
      .nullable()
      .describe('Null if it is not a recurring plan.'),
  },
  shown: { payment_subscription: PRICES },
};
