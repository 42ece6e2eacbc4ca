import { createGrant } from './change-grants.ts';
import {
  createMembership,
  createMembershipCategory,
  createPaymentPlan,
  setAllotment,
  type NewMembership,
  type NewPlan,
} from './writes.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { readAllotment, type usesBody } from './allotment.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A new membership with what it needs before it can be sold. */
interface WholeMembership extends Omit<NewMembership, 'category'> {
  readonly category?: number;
  readonly category_name?: string;
  readonly allotment?: ValueOf<typeof usesBody>;
  readonly payment_plans?: readonly Omit<NewPlan, 'membership'>[];
  /** ids of offering types */
  readonly registration_options?: readonly number[];
}

/** Creates a membership with its category, allotment, payment plans and grants. Returns its id. */
export async function createWhole(
  work: Work,
  {
    allotment,
    payment_plans: plans = [],
    registration_options: options = [],
    category_name: name,
    ...values
  }: WholeMembership,
): Promise<number> {
  if ((values.category === undefined) === (name === undefined))
    throw invalid('category', 'Send either category or category_name.');
  if (new Set(options).size < options.length)
    throw invalid('registration_options', 'Name each offering type only once.');
  if (plans.length > 0 && values.type !== 'recurring_plan')
    throw invalid('payment_plans', `A ${values.type} is paid once, by its one_time_fee.`);
  const uses = allotment && (await readAllotment(work, allotment, 'allotment.'));
  const category = values.category ?? (await categoryNamed(work, name!));
  const id = await createMembership(work, { ...values, category });
  if (uses) await setAllotment(work, { id, type: values.type }, uses, 'allotment.');
  for (const [n, plan] of plans.entries())
    await createPaymentPlan(work, { ...plan, membership: id }, `payment_plans.${n}.`);
  for (const option of options)
    await createGrant(work, { membership: id, registration_option: option, on_allotment_price: '0.00' });
  return id;
}

/** Returns the category of this name, and creates it if there is none. */
async function categoryNamed(work: Work, name: string): Promise<number> {
  const found = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM membership_category WHERE provider_id = ${work.providerId} AND name = ${name}
      ORDER BY id LIMIT 1`,
  );
  return found?.id ?? createMembershipCategory(work, { name });
}
