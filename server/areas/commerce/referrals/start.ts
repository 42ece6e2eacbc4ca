/** The start of a referral, for a person who signed up with a customer's code. */
import { against } from './rules/decide.ts';
import { createCode } from '../discount-codes/index.ts';
import { customerFeed, lockCustomers } from '../../people/customers/index.ts';
import { createCustomerMembership } from '../../memberships/customer-memberships/index.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { newPairs, type Pair } from './people.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { randomCode } from './random-code.ts';
import { referralFeed } from './feed.ts';
import { settingsOf, type Settings } from './settings.ts';
import type { Consequence } from '../../../kernel/work/unit/consequence.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Records referrals for those of these new customers who came with a code. A business may promise nothing for them. */
export async function startReferrals(work: Work, customers: readonly number[]): Promise<void> {
  const settings = await settingsOf(work);
  if (!settings.enabled) return;
  const found = await newPairs(work, customers);
  if (found.length === 0) return;
  await lockCustomers(
    work,
    found.flatMap(({ referrer, customer }) => [referrer.id, customer.id]),
  );
  // Read again under the locks: another process may have been first, and a record may have been deleted.
  for (const pair of await newPairs(
    work,
    found.map(({ customer }) => customer.id),
  ))
    await start(work, settings, pair);
}

async function start(work: Work, settings: Settings, pair: Pair): Promise<void> {
  const { referrer, customer } = pair;
  const why = against(pair);
  const gets = why === null ? await welcome(work, settings, pair) : NO_WELCOME;
  const id = await insertRow(work, 'referral', {
    referrer_id: referrer.id,
    customer_id: customer.id,
    signed_up_as: customer.id,
    confirms_on: settings.confirmsOn,
    promised_minor: settings.bonus,
    signup_promised_minor: settings.signupCredit,
    ...gets,
    ...(why === null
      ? { status: 'pending' }
      : { status: 'cancelled', cancel_reason: why, cancelled_at: instant(work.now) }),
  });
  const payload = { referral: id, referrer: referrer.id, customer: customer.id };
  work.record(referralFeed.created, id, payload);
  if (why !== null) work.record(referralFeed.cancelled, id, payload);
  const credit = (minor: number) => (why === null ? formatDecimal({ minor, currency: work.tenant.currency }) : null);
  work.effect('referral', 'customer', customer.id, {
    referrer: referrer.id,
    cancel_reason: why,
    confirms_on: settings.confirmsOn,
    referrer_credit: credit(settings.bonus),
    customer_credit: credit(settings.signupCredit),
    free_membership: gets.customer_membership_id === null ? null : settings.membership,
    discount_percentage: gets.discount_code_id === null ? null : settings.discount,
  });
}

/** The preview of a referral in a dry run of creating a customer: the referral is started and rolled back. */
export const referralPreview: Consequence = {
  of: customerFeed.created.kind,
  previewEffects: (work, customer) => startReferrals(work, [customer]),
};

const NO_WELCOME = { customer_membership_id: null, discount_code_id: null };

/** Grants what the new customer gets for signing up, before they have come or paid. */
async function welcome(work: Work, { membership, discount }: Settings, { customer, names }: Pair) {
  return {
    customer_membership_id: membership === null ? null : await freeMembership(work, membership, customer.id),
    discount_code_id:
      discount === null
        ? null
        : await createCode(work, {
            code: randomCode(),
            name: `Welcome, ${names.customer}`.slice(0, 100),
            allowed_uses: 1,
            allowed_uses_per_customer: 1,
            discount_type: 'percent',
            discount_amount: discount,
            usable_purchase_types: ['event', 'course', 'membership', 'store'],
            usable_by_new_customers_only: false,
            usable_by_default_for_purchase_types: true,
            applicable_billing_cycles: 1,
          }),
  };
}

/** Returns null if the membership's rules don't allow it: the referral starts anyway. */
const freeMembership = (work: Work, membership: number, customer: number): Promise<number | null> =>
  work.tx
    .attempt(() => createCustomerMembership(work, { membership, customer, price: 0, paid: 0 }))
    .catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
