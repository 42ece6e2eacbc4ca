import { randomUUID } from 'node:crypto';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { seed } from '../../../../test/seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

/** A different one each time. */
let hours = 30;

export const CALLS: Calls = {
  'POST /communication/suppressions': async () => ({ body: { address: `${randomUUID()}@example.com` } }),
  'PATCH /communication/settings': async () => ({ body: { reminder_hours: (hours += 1) } }),
  'PUT /customers/{id}/sms_account': async (world) => {
    const id = await world.newCustomer();
    return { id, customer: id, body: { phone_number: '416 555 0123', country: 'CA', enabled: true } };
  },
  'POST /customers/{id}/sms_account/verify': async (world) => {
    const id = await seed(world, 'sms_account');
    const code = world.app.installation.box
      .fingerprint('sms code', `${world.harbour}:${id}:+14165550100:123456`)
      .toString('hex');
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE sms_account SET code_hash = ${`\\x${code}`}::bytea, code_expires_at = now() + interval '1 hour'
          WHERE customer_id = ${id}`,
      ),
    );
    return { id, customer: id, body: { verification_code: '123456' } };
  },
};
