import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CrmWorld } from '../../../test/worlds/crm-world.ts';

let c: CrmWorld;
before(async () => {
  c = await CrmWorld.start({ EMAIL_QUOTA: '2' });
});
after(() => c.close());

// Guards against: A business that sends mail to everybody it can think of
test('emails of workflows count against the quota, unsent ones do not, and the run says when it is used up', async () => {
  const workflow = await c.workflow('customer.created');
  await c.action(workflow.id, 'email_customer', { email_template: { subject: 'News', body: 'Come again' } });
  const steps = async (values: object) => {
    const customer = await c.world.newCustomer(values);
    await c.quiet();
    return (await c.runs(`customer=${customer}`))[0].steps[0];
  };
  const used = async () =>
    (await c.world.get('/communication/broadcast_messages/email_quota', { as: c.world.machine })).body.used;
  assert.equal((await steps({})).reason, 'The message was not sent: no_consent.');
  assert.equal(await used(), 0);
  for (const sent of [1, 2]) {
    assert.equal((await steps({ is_opted_into_broadcast_messages: true })).status, 'acted');
    assert.equal(await used(), sent);
  }
  const last = await steps({ is_opted_into_broadcast_messages: true });
  assert.deepEqual([last.status, last.reason], ['skipped', 'The email quota for this month is used up.']);
  assert.equal(await used(), 2);
});
