/** How a recurring plan that somebody owns is paid. */
import { date, id, integer, ref, refBy } from '../../../kernel/api/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { PRICES } from '../../money/account-entries/index.ts';
import { raw, sql, type Sql } from '../../../kernel/db/sql.ts';
import { resource, type Properties } from '../../../kernel/api/resource.ts';

/** Something of the membership that it pays. */
const ofMembership = (t: string, what: string): Sql =>
  raw(`(SELECT ${what} FROM customer_membership owned WHERE owned.provider_id = ${t}.provider_id
    AND owned.id = ${t}.customer_membership_id)`);

/** What is charged next: what was chosen, else the newest method of the person who pays. */
const charged = (t: string): Sql =>
  ofMembership(t, `charged_method(owned.provider_id, owned.customer_id, ${t}.payment_method_id)`);

export const paymentSubscription = resource('payment_subscription', {
  description:
    'How a recurring plan that a customer owns is paid. Each billing period is invoiced on its first day, and charged to the payment method.',
  fields: {
    id: id(),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    plan: refBy('membership_payment_plan', (t) => ofMembership(t, 'owned.payment_plan_id')).nullable(),
    retry_count: integer({ min: 0 })
      .from((t) =>
        raw(`(SELECT coalesce(max(greatest(c.failures + CASE WHEN c.payment_id IS NULL THEN 0 ELSE 1 END - 1, 0)), 0)::int
          FROM billing_collection c WHERE c.provider_id = ${t}.provider_id
            AND c.customer_membership_id = ${t}.customer_membership_id AND c.state <> 'settled')`),
      )
      .describe('How often the payment of its last unpaid invoice was tried again. 0 if everything is paid.'),
    start_date: date().from((t) => ofMembership(t, 'owned.start_date')),
    end_date: date()
      .nullable()
      .from((t) => ofMembership(t, 'owned.expiration_date'))
      .describe('The last day of the membership. Null if it has no end.'),
    payment_method: refBy('payment_method', charged)
      .nullable()
      .describe(
        'What is charged next: the payment method that was chosen for it, or the newest one of the person who pays. A manager of the family pays for its children. If null, invoices are sent instead.',
      ),
  },
  visible: {
    provider: true,
    customer: (t) =>
      sql`EXISTS (SELECT FROM customer_membership owned WHERE owned.provider_id = ${raw(t)}.provider_id
        AND owned.id = ${raw(t)}.customer_membership_id AND ${ofMyFamily('owned.customer_id')})`,
    unregistered: false,
  },
});

/** What billing adds to the memberships of customers. */
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
