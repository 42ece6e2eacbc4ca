import { createSystem } from '../index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { iso, row } from '../../../../test/schedule-world.ts';
import { name, seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';
import { charge } from '../../../money/account-entries/test/seeds.ts';

/** Creates a penalty that is not charged yet, its system, and the one strike that is left of it. */
async function penalised(
  world: World,
  providerId: number,
): Promise<{ system: number; penalty: number; strike: number }> {
  const [membership, owned, attendance] = [
    await seed(world, 'membership', providerId),
    await seed(world, 'customermembership', providerId),
    await seed(world, 'attendance', providerId),
  ];
  const numbers = { price: '10.00', max_infractions: 2, days: 30 };
  const system = await world.work(providerId, (work) =>
    createSystem(work, {
      name: name('House rules'),
      memberships: [membership],
      no_show_rule: numbers,
      late_cancel_rule: numbers,
      late_cancel_or_no_show_rule: numbers,
    }),
  );
  const { rule } = await world.work(
    providerId,
    async ({ tx }) =>
      (await tx.one(
        sql`SELECT min(id) AS rule FROM membership_penalty_rule
          WHERE provider_id = ${providerId} AND membership_penalty_system_id = ${system}`,
      ))! as { rule: number },
  );
  const of = { customer_membership_id: owned, rule_id: rule };
  const penalty = await row(
    world,
    'membership_penalty',
    { ...of, amount_minor: 1000, due_on: '2035-01-01' },
    providerId,
  );
  await charge(world, providerId, { reason: 'penalty', subject: penalty }, owned);
  const times = { expires_at: iso(world.now + 30 * DAY), occurred_at: iso(world.now) };
  const strike = await row(
    world,
    'membership_strike',
    { ...of, ...times, attendance_id: attendance, type: 'no_show', penalty_id: penalty, sequence_position: 1 },
    providerId,
  );
  return { system, penalty, strike };
}

const DAY = 86_400_000;

export const SEEDS: Seeds = {
  membership_penalty_system: async (world, providerId) => (await penalised(world, providerId)).system,
  membership_penalty: async (world, providerId) => (await penalised(world, providerId)).penalty,
  membership_strike: async (world, providerId) => (await penalised(world, providerId)).strike,
  membership_penalty_message: async (world, providerId) => {
    const system = await seed(world, 'membership_penalty_system', providerId);
    const message = await row(
      world,
      'membership_penalty_message',
      { subject: name('Missed'), body: 'We missed you.', trigger_type: 'penalty' },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO membership_penalty_message_system
          (provider_id, membership_penalty_message_id, membership_penalty_system_id)
          VALUES (${providerId}, ${message}, ${system})`,
      ),
    );
    return message;
  },
};
