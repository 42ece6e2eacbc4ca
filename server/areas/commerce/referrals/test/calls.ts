import { promise, referred } from './seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

async function pending(world: World) {
  await promise(world, world.harbour);
  return { id: (await referred(world)).referral, body: {} };
}

/** Each call changes something. */
let last = 10;

export const CALLS: Calls = {
  'PATCH /providers/{id}/customer_referral_settings': async (world) => ({
    id: world.harbour,
    body: { signup_bonus_credit: `${(last += 1)}.00` },
  }),
  'POST /referrals/{id}/confirm': pending,
  'POST /referrals/{id}/cancel': pending,
};
