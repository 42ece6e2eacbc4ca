import { randomUUID } from 'node:crypto';
import { row } from '../../../../test/schedule-world.ts';
import { seed } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

async function ofThemselves(world: World, body: Call['body']): Promise<Call> {
  const id = await seed(world, 'customer');
  return { id, customer: id, body };
}

/** A customer with an account, for calls that send them an email. */
async function withAccount(world: World): Promise<Call> {
  const email = `${randomUUID()}@example.com`;
  const { id: user_id } = (await world.app.db.acrossTenants('a test makes an account', (tx) =>
    tx.one<{ id: number }>(sql`INSERT INTO user_account (email, email_key) VALUES (${email}, ${email}) RETURNING id`),
  ))!;
  const id = await world.newCustomer({ user_id, email });
  return { id, customer: id, body: {} };
}

export const CALLS: Calls = {
  'POST /family_invites': async (world) => {
    const customer = await world.newCustomer();
    const email = `${randomUUID()}@example.com`;
    return { customer, body: { customer, first_name: 'Eve', last_name: 'Byron', email } };
  },
  'DELETE /family_invites/{id}': async (world) => {
    const family = await row(world, 'family', {});
    const customer = await world.newCustomer({ family_id: family, family_role: 'manager' });
    const about = { first_name: 'Eve', last_name: 'Byron', email: 'eve@example.com' };
    return {
      customer,
      id: await row(world, 'family_invite', { family_id: family, invited_by_id: customer, ...about }),
      body: {},
    };
  },
  'POST /family_invites/accept': async (world) => {
    const inviter = await world.newCustomer();
    const body = { customer: inviter, first_name: 'Eve', last_name: 'Byron', email: 'eve@example.com' };
    const { claim_url: url } = (await world.post('/family_invites', { as: world.machine, body })).body;
    return { customer: await world.newCustomer(), body: { code: new URL(url).searchParams.get('invite') } };
  },
  'POST /customers/{id}/change_email': (world) => ofThemselves(world, { email: `${randomUUID()}@example.com` }),
  'POST /customers/{id}/change_password': withAccount,
  'POST /customers/{id}/resend_email_confirmation': withAccount,
  // Some properties are for staff only.
  'PUT /customers/{id}': (world) =>
    ofThemselves(world, { first_name: 'Ada', last_name: 'King', visibility: 'visible' }),
  'PATCH /customers/{id}': (world) => ofThemselves(world, { last_name: 'King' }),
};

export const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  'POST /customers/{id}/change_password': 'an account belongs to no business',
  'POST /customers/{id}/resend_email_confirmation': 'it sends an email, and nothing about the customer changes',
};
