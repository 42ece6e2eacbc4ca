import { giveCredit } from '../credit.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

/** A counter, so that each call changes something. */
let last = 40;

export const CALLS: Calls = {
  'POST /customers/{id}/move_credit': async (world) => {
    const family = await row(world, 'family', {});
    const id = await world.newCustomer({ family_id: family, family_role: 'manager' });
    const to = await world.newCustomer({ family_id: family, family_role: 'child' });
    await world.work(world.harbour, (work) => giveCredit(work, { customer: id, amount: 5000, explanation: 'A gift.' }));
    return { id, customer: id, body: { to, amount: '12.00' } };
  },
  'PATCH /account_credit_settings': async () => ({ body: { expires_after_days: (last += 1) } }),
};
