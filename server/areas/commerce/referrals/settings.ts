/** Rewards that a business promises for referrals. */
import { action, get, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { amountText } from '../../../kernel/base/values/money.ts';
import { boolean, id, integer, money, moneyText, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames } from '../../../kernel/work/unit/row.ts';
import { instant, raw, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { lockBusiness, providerFeed } from '../../platform/providers/index.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { resource } from '../../../kernel/api/resource.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const CONFIRMS_ON = ['first_visit', 'first_purchase'] as const;
const REWARD_TYPES = ['nothing', 'account_credit'] as const;

export const customerReferralSettings = resource('customer_referral_settings', {
  description: 'Rewards for customers who refer others to the business, and for those who sign up.',
  idColumn: 'provider_id',
  fields: {
    id: id().from((t) => raw(`${t}.provider_id`)),
    enabled: boolean(),
    referral_reward_type: oneOf(REWARD_TYPES).describe('Reward for the customer who referred somebody.'),
    referral_bonus_credit: money()
      .from((t) => raw(`${t}.bonus_minor`))
      .describe('Amount of account credit. 0 for none.'),
    signup_free_membership: ref('membership', 'signup_membership_id')
      .nullable()
      .describe('The membership that a new customer gets free of charge when they sign up.'),
    signup_bonus_credit: money()
      .from((t) => raw(`${t}.signup_credit_minor`))
      .describe('Account credit for a new customer when the referral is confirmed.'),
    signup_discount_percentage: text()
      .nullable()
      .from((t) => sql`trim_scale(${raw(t)}.signup_discount_percent)::text`)
      .describe('The discount that a new customer gets with a code of their own, which can be used once.'),
    confirmed_by: oneOf(CONFIRMS_ON).describe('Action of the new customer that confirms the referral.'),
    max_rewards_per_year: integer()
      .nullable()
      .from((t) => raw(`${t}.rewards_a_year`))
      .describe('Maximum number of rewards for a customer in 365 days. Null for no limit.'),
  },
  visible: { provider: true, customer: true, unregistered: true },
});

export interface Settings {
  readonly enabled: boolean;
  /** minor units for the referrer; 0 means nothing */
  readonly bonus: number;
  readonly signupCredit: number;
  readonly membership: number | null;
  /** `10`, `12.5` */
  readonly discount: string | null;
  readonly confirmsOn: (typeof CONFIRMS_ON)[number];
  readonly rewardsAYear: number | null;
}

export const settingsOf = async ({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> =>
  (await tx.one<Settings & Record<string, unknown>>(sql`
    SELECT enabled, bonus_minor AS bonus, signup_credit_minor AS "signupCredit", signup_membership_id AS membership,
      trim_scale(signup_discount_percent)::text AS discount, confirmed_by AS "confirmsOn",
      rewards_a_year AS "rewardsAYear"
    FROM customer_referral_settings WHERE provider_id = ${providerId}`))!;

const path = '/providers/{id}/customer_referral_settings';

const body = {
  enabled: boolean().optional(),
  referral_reward_type: oneOf(REWARD_TYPES).optional(),
  referral_bonus_credit: moneyText().optional(),
  signup_free_membership: ref('membership').nullable().optional(),
  signup_bonus_credit: moneyText().optional(),
  signup_discount_percentage: text({
    max: 6,
    pattern: /^\d{1,3}(\.\d{1,2})?$/,
    hint: 'Must be a percentage, for example "10" or "12.5".',
  })
    .nullable()
    .optional(),
  confirmed_by: oneOf(CONFIRMS_ON).optional(),
  max_rewards_per_year: integer({ min: 1, max: 10_000 }).nullable().optional(),
};

export const settingsEndpoints = [
  get(customerReferralSettings, {
    path,
    summary: 'Get the settings of referrals',
    who: { provider: true, customer: true, unregistered: true },
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the settings of referrals',
    description:
      'Applies to everyone who signs up from now on. Those who signed up before get what they were promised.',
    who: staffWith('super_admin'),
    target: customerReferralSettings,
    unlocked: true,
    body,
    returns: one(customerReferralSettings),
    run: async ({ work, body: sent }) => {
      await lockBusiness(work);
      const before = await settingsOf(work);
      const after = changed(work, before, sent);
      if (JSON.stringify(before) === JSON.stringify(after)) return work.providerId;
      await save(work, after);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before, after });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: changedNames(sent) });
      return work.providerId;
    },
  }),
];

type Sent = Partial<{
  enabled: boolean;
  referral_reward_type: (typeof REWARD_TYPES)[number];
  referral_bonus_credit: string;
  signup_free_membership: number | null;
  signup_bonus_credit: string;
  signup_discount_percentage: string | null;
  confirmed_by: Settings['confirmsOn'];
  max_rewards_per_year: number | null;
}>;

const chosen = <T>(sent: T | undefined, before: T): T => (sent === undefined ? before : sent);

function changed({ tenant: { currency } }: Work, before: Settings, sent: Sent): Settings {
  const amount = (name: 'referral_bonus_credit' | 'signup_bonus_credit', known: number): number =>
    sent[name] === undefined ? known : minorOf(name, sent[name], currency);
  const bonus = amount('referral_bonus_credit', before.bonus);
  const type = sent.referral_reward_type ?? (bonus > 0 ? 'account_credit' : 'nothing');
  if (type === 'account_credit' && bonus === 0)
    throw invalid('referral_bonus_credit', 'Send the amount of account credit, for example "10.00".');
  if (type === 'nothing' && sent.referral_bonus_credit !== undefined && bonus > 0)
    throw invalid('referral_bonus_credit', 'Must be 0 if the reward is nothing. Or send `account_credit`.');
  const discount = chosen(sent.signup_discount_percentage, before.discount);
  if (discount !== null && !(Number(discount) > 0 && Number(discount) <= 100))
    throw invalid('signup_discount_percentage', 'Must be more than 0, and 100 at most.');
  return {
    enabled: sent.enabled ?? before.enabled,
    bonus: type === 'nothing' ? 0 : bonus,
    signupCredit: amount('signup_bonus_credit', before.signupCredit),
    membership: chosen(sent.signup_free_membership, before.membership),
    discount,
    confirmsOn: sent.confirmed_by ?? before.confirmsOn,
    rewardsAYear: chosen(sent.max_rewards_per_year, before.rewardsAYear),
  };
}

async function save(work: Work, s: Settings): Promise<void> {
  const now = instant(work.now);
  await work.tx.run(sql`
    INSERT INTO referral_settings (provider_id, enabled, reward_type, bonus_minor, signup_credit_minor,
      signup_membership_id,
      signup_discount_percent, confirmed_by, rewards_a_year, created_at, updated_at)
    VALUES (${work.providerId}, ${s.enabled}, ${s.bonus > 0 ? 'account_credit' : 'nothing'}, ${s.bonus},
      ${s.signupCredit}, ${s.membership},
      ${s.discount}::numeric, ${s.confirmsOn}, ${s.rewardsAYear}, ${now}, ${now})
    ON CONFLICT (provider_id) DO UPDATE SET enabled = excluded.enabled, reward_type = excluded.reward_type,
      bonus_minor = excluded.bonus_minor, signup_credit_minor = excluded.signup_credit_minor,
      signup_membership_id = excluded.signup_membership_id, signup_discount_percent = excluded.signup_discount_percent,
      confirmed_by = excluded.confirmed_by, rewards_a_year = excluded.rewards_a_year,
      updated_at = excluded.updated_at`);
}

/** Formats an amount for people; null if it is 0. */
export const credit = (minor: number, currency: string): string | null =>
  minor === 0 ? null : amountText({ minor, currency });
