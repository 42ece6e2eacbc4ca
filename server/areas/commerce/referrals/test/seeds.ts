import { sql } from '../../../../kernel/base/db/sql.ts';
import { startReferrals } from '../start.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** Configures the business's promises, with some of each kind. */
export async function promise(world: World, providerId: number, more: Record<string, unknown> = {}): Promise<void> {
  const values = {
    enabled: true,
    reward_type: 'account_credit',
    bonus_minor: 1000,
    signup_credit_minor: 500,
    signup_membership_id: null,
    signup_discount_percent: null,
    confirmed_by: 'first_visit',
    rewards_a_year: null,
    ...more,
  };
  await world.work(providerId, ({ tx }) =>
    tx.run(sql`
      INSERT INTO referral_settings (provider_id, enabled, reward_type, bonus_minor, signup_credit_minor,
        signup_membership_id,
        signup_discount_percent, confirmed_by, rewards_a_year, created_at, updated_at)
      VALUES (${providerId}, ${values.enabled}, ${values.reward_type}, ${values.bonus_minor},
        ${values.signup_credit_minor},
        ${values.signup_membership_id}, ${values.signup_discount_percent}::numeric, ${values.confirmed_by},
        ${values.rewards_a_year}, now(), now())
      ON CONFLICT (provider_id) DO UPDATE SET enabled = excluded.enabled, reward_type = excluded.reward_type,
        bonus_minor = excluded.bonus_minor,
        signup_credit_minor = excluded.signup_credit_minor, signup_membership_id = excluded.signup_membership_id,
        signup_discount_percent = excluded.signup_discount_percent, confirmed_by = excluded.confirmed_by,
        rewards_a_year = excluded.rewards_a_year`),
  );
}

export interface Referred {
  readonly referral: number;
  readonly referrer: number;
  readonly customer: number;
}

/** Creates a new customer who came with the code of this customer, or of a new one if none is named. */
export async function referred(
  world: World,
  providerId = world.harbour,
  by?: number,
  values: Record<string, unknown> = {},
): Promise<Referred> {
  const referrer = by ?? (await world.newCustomer({ first_name: 'Ada' }, providerId));
  const found = await world.work(providerId, ({ tx }) =>
    tx.one<{ code: string }>(
      sql`SELECT referral_code AS code FROM customer WHERE provider_id = ${providerId} AND id = ${referrer}`,
    ),
  );
  const customer = await world.newCustomer({ first_name: 'Ben', referred_by_code: found!.code, ...values }, providerId);
  return world.work(providerId, async (work) => {
    await startReferrals(work, [customer]);
    const row = await work.tx.one<{ id: number }>(
      sql`SELECT id FROM referral WHERE provider_id = ${providerId} AND signed_up_as = ${customer}`,
    );
    return { referral: row!.id, referrer, customer };
  });
}

export const SEEDS: Seeds = {
  customer_referral_settings: async (world, providerId) => {
    await promise(world, providerId, { signup_membership_id: await seed(world, 'membership', providerId) });
    return providerId;
  },
  referral: async (world, providerId) => {
    await promise(world, providerId, {
      signup_membership_id: await seed(world, 'membership', providerId),
      signup_discount_percent: '10',
    });
    return (await referred(world, providerId, undefined, { date_of_birth: '1990-04-01' })).referral;
  },
};
