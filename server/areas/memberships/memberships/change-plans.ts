import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { changePaymentPlan, createPaymentPlan } from './writes.ts';
import { feeFeed, planFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { joiningFee, membershipPaymentPlan, newPlan } from './payment-plan.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { moneyText, refs } from '../../../kernel/base/fields/kinds.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = membershipPaymentPlan.fields;
const who = staffWith('super_admin');

export const changePlans = changes(membershipPaymentPlan, {
  path: '/membership_payment_plans',
  noun: 'payment plan',
  who,
  body: { cancellation_notice_days: f.cancellation_notice_days, price: moneyText(), status: f.status },
  first: newPlan,
  create: ({ work, body }) => createPaymentPlan(work, body),
  update: {
    description:
      'Only its price, whether it is for sale, and its notice can be changed. People who already pay by it keep the price that they agreed to.',
    run: async ({ work, body, target }) => {
      await changePaymentPlan(work, target, body);
    },
  },
});

const feeBody = {
  amount: moneyText(),
  name: joiningFee.fields.name.optional(),
  plans: refs('membership_payment_plan', { max: 100 })
    .optional()
    .describe('All payment plans that charge this fee. A plan has at most one joining fee.'),
};

export const changeFees = changes(joiningFee, {
  path: '/joining_fees',
  noun: 'joining fee',
  who,
  body: feeBody,
  create: async ({ work, body: { amount, name, plans } }) => {
    const id = await insertRow(work, 'joining_fee', { name, amount_minor: amountOf(work, amount) });
    if (plans) await setPlans(work, id, plans);
    work.record(feeFeed.created, id, { joining_fee: id });
    return id;
  },
  update: {
    description: 'Applies to people who start from now on. The list of plans is replaced as a whole.',
    run: async ({ work, body: { amount, name, plans }, target }) => {
      const changed = changedNames({ amount, name, plans });
      await updateRow(work, 'joining_fee', target.id, {
        name,
        amount_minor: amount === undefined ? undefined : amountOf(work, amount),
      });
      if (plans) await setPlans(work, target.id, plans);
      if (changed.length > 0) work.record(feeFeed.updated, target.id, { joining_fee: target.id, changed });
    },
  },
  remove: {
    summary: 'Delete a joining fee that no plan has',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      const { n } = (await work.tx.one<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM membership_payment_plan
          WHERE provider_id = ${work.providerId} AND joining_fee_id = ${target.id}`,
      ))!;
      if (n > 0)
        throw new Problem(
          'in_use',
          `${n} ${n === 1 ? 'plan has' : 'plans have'} this fee. Set its plans to [] with PATCH first.`,
        );
      await deleteRow(work, 'joining_fee', target.id);
      work.record(feeFeed.deleted, target.id, { joining_fee: target.id });
    },
  },
});

function amountOf(work: Work, text: string): number {
  const minor = minorOf('amount', text, work.tenant.currency);
  if (minor === 0)
    throw invalid('amount', 'A joining fee must be more than 0. Send a higher amount, or delete the fee.');
  return minor;
}

/** Assigns the fee to exactly these plans, and removes it from all others; it replaces another fee of a plan. */
async function setPlans(work: Work, fee: number, plans: readonly number[]): Promise<void> {
  const rows = await work.tx.rows<{ id: number; joining_fee_id: number | null }>(
    sql`SELECT * FROM membership_payment_plan
      WHERE provider_id = ${work.providerId} AND (joining_fee_id = ${fee} OR id = ANY(${plans}::bigint[])) ORDER BY id
      FOR NO KEY UPDATE`,
  );
  const moved = rows.filter((row) => (row.joining_fee_id === fee) !== plans.includes(row.id));
  for (const row of moved) {
    work.touch('membership_payment_plan', row.id, row);
    work.record(planFeed.updated, row.id, { membership_payment_plan: row.id, changed: ['joining_fee'] });
  }
  await work.tx.run(
    sql`UPDATE membership_payment_plan
      SET joining_fee_id = CASE WHEN id = ANY(${plans}::bigint[]) THEN ${fee}::bigint END,
        updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ANY(${moved.map((row) => row.id)}::bigint[])`,
  );
}
