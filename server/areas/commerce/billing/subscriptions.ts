/** Endpoints to find how recurring plans are paid, and to choose the method that is charged. */
import { action, choice, filter, one, staffWith, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { boolean, id, listOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { isUnpaid, paymentSubscription } from './payment-subscription.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { paymentSubscriptionFeed } from './feed.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Staff who manage payments; customers for themselves and their family. */
export const who: Who = { provider: ['super_admin', 'customer_payments'], customer: true, unregistered: false };

/** Refuses a method that the customer's household has not saved. */
async function checkMethod(work: Work, method: number, customer: number): Promise<void> {
  const found = await work.tx.one(sql`
    SELECT FROM payment_method m JOIN customer payer ON payer.provider_id = m.provider_id AND payer.id = m.customer_id
      JOIN customer owner ON owner.provider_id = m.provider_id AND owner.id = ${customer}
    WHERE m.provider_id = ${work.providerId} AND m.id = ${method} AND m.removed_at IS NULL
      AND (payer.id = owner.id OR (payer.family_id = owner.family_id AND payer.pays_for_family))`);
  if (!found)
    throw invalid('payment_method', {
      staff: 'Must be a payment method that the customer or their family has saved. List their payment methods.',
      customer: 'Choose one of the payment methods that you or your family have saved.',
    });
}

interface People {
  /** owner of the membership, and payer */
  readonly customer: number;
  readonly payer: number;
}

export const peopleOf = async ({ tx, providerId }: Work, membership: number): Promise<People> =>
  (await tx.one<People & Record<string, unknown>>(sql`
    SELECT customer_id AS customer, paying_customer(provider_id, customer_id) AS payer FROM customer_membership
    WHERE provider_id = ${providerId} AND id = ${membership}`))!;

const chooseMethod = action({
  method: 'PATCH',
  path: '/payment_subscriptions/{id}',
  summary: 'Choose what is charged for a recurring plan',
  description:
    'Applies to the next payment. If the payment of an invoice of the plan has failed, it is tried again immediately.',
  who,
  target: paymentSubscription,
  body: {
    payment_method: ref('payment_method')
      .nullable()
      .optional()
      .describe('One of the customer or of their family. Null means the newest one of the person who pays.'),
  },
  returns: one(paymentSubscription),
  problems: ['permission_denied'],
  run: async ({ work, target, body }) => {
    const { customer, payer } = await peopleOf(work, target.customer_membership_id);
    await checkActsFor(work, payer);
    const method = body.payment_method;
    if (method === undefined || method === target.payment_method_id) return target.id;
    if (method !== null) await checkMethod(work, method, customer);
    await useMethod(work, target as Plan, customer, method);
    return target.id;
  },
});

type Plan = Pick<Row<'payment_subscription'>, 'id' | 'customer_membership_id'>;

/** Charges a locked plan to the method from now on, and tries a failed payment again. */
export async function useMethod(work: Work, plan: Plan, customer: number, method: number | null): Promise<void> {
  const { id, customer_membership_id: membership } = plan;
  await updateRow(work, 'payment_subscription', id, { payment_method_id: method });
  await work.tx.run(sql`UPDATE billing_collection SET next_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId} AND customer_membership_id = ${membership} AND ${RETRYABLE}`);
  work.record(paymentSubscriptionFeed.updated, id, {
    payment_subscription: id,
    customer_membership: membership,
    customer,
    changed: ['payment_method'],
  });
}

/** Invoices that a request can retry: unpaid, failed before, and without a running payment. */
export const RETRYABLE = sql`state <> 'settled' AND payment_id IS NULL AND failures > 0`;

const retry = action({
  path: '/payment_subscriptions/{id}/retry',
  summary: 'Try the payment of a recurring plan again',
  description:
    'The unpaid invoices of the plan whose payment has failed are charged within seconds, in place of the next try that is planned. If it fails again, it counts as a try.',
  who: staffWith('super_admin', 'customer_payments'),
  target: paymentSubscription,
  body: {},
  problems: ['conflict'],
  returns: one(paymentSubscription),
  run: async ({ work, target }) => {
    const membership = target.customer_membership_id as number;
    const preview = await work.tx.rows<{ invoice: number; planned: number | null }>(sql`
      WITH before AS (SELECT invoice_id, next_at FROM billing_collection WHERE provider_id = ${work.providerId}
          AND customer_membership_id = ${membership} AND ${RETRYABLE} ORDER BY invoice_id FOR UPDATE)
      UPDATE billing_collection c SET next_at = ${instant(work.now)}, updated_at = ${instant(work.now)} FROM before b
      WHERE c.provider_id = ${work.providerId} AND c.invoice_id = b.invoice_id
      RETURNING c.invoice_id AS invoice, b.next_at AS planned`);
    if (preview.length === 0)
      throw new Problem('conflict', 'No payment of this plan has failed, or one is already being tried again.');
    const at = (moment: (one: (typeof preview)[number]) => number | null) =>
      Object.fromEntries(preview.map((one) => [`invoice ${one.invoice}`, instant(moment(one))]));
    work.audit({
      action: 'POST /payment_subscriptions/{id}/retry',
      object: 'payment_subscription',
      objectId: target.id,
      before: at(({ planned }) => planned),
      after: at(() => work.now),
    });
    const { customer } = await peopleOf(work, membership);
    work.record(paymentSubscriptionFeed.updated, target.id, {
      payment_subscription: target.id,
      customer_membership: membership,
      customer,
      changed: ['next_retry_at'],
    });
    return target.id;
  },
});

export const subscriptionEndpoints = [
  ...listAndGet(paymentSubscription, {
    path: '/payment_subscriptions',
    summary: 'List how recurring plans are paid',
    get: 'Get how a recurring plan is paid',
    description: 'Customers see those of their family.',
    who,
    filters: {
      customer: filter(
        listOf(id()),
        (t, wanted) =>
          sql`EXISTS (SELECT FROM customer_membership owned WHERE owned.provider_id = ${raw(t)}.provider_id
            AND owned.id = ${raw(t)}.customer_membership_id AND owned.customer_id = ANY(${wanted}::bigint[]))`,
      ),
      customer_membership: filter(
        listOf(id()),
        (t, wanted) => sql`${raw(t)}.customer_membership_id = ANY(${wanted}::bigint[])`,
      ),
      is_unpaid: choice(boolean(), { true: isUnpaid, false: (t) => sql`NOT (${isUnpaid(t)})` }),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) } },
  }),
  chooseMethod,
  retry,
];
