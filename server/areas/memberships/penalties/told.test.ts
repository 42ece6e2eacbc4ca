/** Tests of messages about infractions and penalties: each is sent once, and none about forgiven ones. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newCustomers, row } from '../../../test/schedule-world.ts';
import { NOON, PenaltyWorld, type Holder } from '../../../test/worlds/penalty-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { World } from '../../../test/world.ts';

const TYPE = '/communication/notification_types/membership_penalty';
const HOUR = 3_600_000;

let p: PenaltyWorld;
let world: World;
before(async () => {
  p = await PenaltyWorld.start();
  world = p.world;
});
after(() => p.close());

const message = (system: number, trigger_type: string, subject: string, body = 'Hello') =>
  p.made(`${TYPE}/messages`, { email_template: { subject, body }, trigger_type, penalty_systems: [system] });

/** Returns the messages about penalties, withdrawn ones with their reason. */
const ledger = (...customers: number[]) =>
  world.work(
    world.harbour,
    async ({ tx }) =>
      await tx.rows<any>(
        sql`SELECT customer_id, about_customer_id, subject, text_part AS text, status, reason FROM message
          WHERE kind = 'membership_penalty' AND customer_id = ANY(${customers}::bigint[]) ORDER BY id`,
      ),
  );
const subjects = async (of: Pick<Holder, 'customer'>): Promise<string[]> =>
  (await ledger(of.customer)).map((m) => (m.status === 'queued' ? m.subject : `${m.subject} (${m.reason})`));

test('the type lists the fields of a message and allows several; templates are validated; a message is created, changed and deleted', async () => {
  const { template_variables: variables, multiple_messages_allowed: many } = await p.get(TYPE);
  assert.equal(many, true);
  assert.ok(variables.some(({ name }: any) => name === 'penalty.amount'));
  const of = await p.holder();
  const all = variables.map(({ name }: any) => `{{${name}}}`).join(' ');
  const made = await message(of.system, 'penalty', 'Fee', all);
  assert.deepEqual(
    [made.object, made.email_template, made.trigger_type, made.penalty_systems],
    ['membership_penalty_message', { subject: 'Fee', body: all }, 'penalty', [of.system]],
  );
  const path = `${TYPE}/messages/${made.id}`;
  const refused = await p.patch(path, { email_template: { subject: 'Fee {{penalty.amuont}}', body: '{{' } });
  assert.deepEqual(
    [refused.status, Object.keys(refused.body.field_errors)],
    [400, ['email_template.subject', 'email_template.body']],
  );
  assert.equal(
    (await p.patch(path, { trigger_type: 'non_penalized_infraction' })).body.trigger_type,
    'non_penalized_infraction',
  );
  assert.equal((await p.get(`${path}?expand=penalty_systems`)).penalty_systems[0].name, 'House rules');
  assert.equal(
    (
      await p.post(`${TYPE}/messages`, {
        email_template: { subject: 'x', body: 'y' },
        trigger_type: 'penalty',
        penalty_systems: [999_999],
      })
    ).status,
    400,
  );
  assert.equal((await world.delete(path, { as: world.machine })).status, 204);
  assert.equal((await world.get(path, { as: world.machine })).status, 404);
  assert.equal((await world.get(TYPE, { as: world.staff(['customers']) })).status, 403);
});

test('each infraction is reported by each message of its kind, once, with all its values; a penalty by those for penalties', async () => {
  const of = await p.holder();
  await message(
    of.system,
    'non_penalized_infraction',
    'Missed: {{event.name}}',
    '{{customer.first_name}}, {{infraction.type}} on {{event.date}}: {{infractions.count}} of {{infractions.free}}, {{infractions.left}} left in {{infractions.days}} days.{{penalty.due_date}}',
  );
  await message(of.system, 'non_penalized_infraction', 'Second');
  await message(
    of.system,
    'penalty',
    'Fee of {{penalty.amount}}',
    '{{participant.name}} pays {{penalty.amount}} with {{membership.name}} on {{penalty.due_date}} for {{infractions.count}}.',
  );
  const other = await p.holder({ at: world.now });
  await message(other.system, 'penalty', 'Of another system');
  await p.cancelLate(of, 3);
  await p.read();
  await p.read();
  assert.deepEqual(await subjects(of), ['Fee of $10.00', 'Missed: Rowing', 'Second', 'Missed: Rowing', 'Second']);
  const [fee, first] = await ledger(of.customer);
  assert.match(fee.text, /^Test \S+ pays \$10\.00 with Pack of 10 on Thursday, June 11, 2026 for 3\.$/);
  assert.match(first.text, /^Test, late cancellation on Thursday, June 11, 2026: 1 of 2, 1 left in 30 days\.$/);
});

test('a message is not sent if its cause was forgiven, corrected or voided before, and not created if the cause was corrected before it was read', async () => {
  const of = await p.holder();
  await message(of.system, 'non_penalized_infraction', 'Missed');
  await message(of.system, 'penalty', 'Fee');
  const bookings = [await p.booked(of, 1), await p.booked(of, 2), await p.booked(of, 3), await p.booked(of, 4)];
  world.setNow(NOON + 6 * HOUR);
  await p.mark(bookings[3], 'no_show');
  await p.mark(bookings[3], 'attended');
  await p.read();
  assert.deepEqual(await subjects(of), []);
  for (const booking of bookings.slice(0, 3)) await p.mark(booking, 'no_show');
  await p.read();
  assert.deepEqual((await subjects(of)).toSorted(), ['Fee', 'Missed', 'Missed']);
  const [first] = await p.strikes(of);
  await p.forgive(first.id);
  await p.read();
  assert.deepEqual((await subjects(of)).toSorted(), ['Fee (outdated)', 'Missed', 'Missed (outdated)']);
  await p.mark(bookings[1], 'attended');
  await p.read();
  assert.deepEqual((await subjects(of)).toSorted(), ['Fee (outdated)', 'Missed (outdated)', 'Missed (outdated)']);
  await p.mark(bookings[1], 'no_show');
  await p.read();
  assert.deepEqual(
    (await subjects(of)).toSorted(),
    ['Fee (outdated)', 'Missed', 'Missed (outdated)', 'Missed (outdated)'],
    'marked after all, it is told after all',
  );
});

test('a penalty is reported to the customer who was booked and to the one who pays, each once', async () => {
  const of = await p.holder();
  const [friend] = await newCustomers(world, 1);
  await p.m.share(of.owned, friend);
  await message(of.system, 'non_penalized_infraction', 'Missed');
  await message(of.system, 'penalty', 'Fee');
  await p.cancelLate(of, 2);
  await p.cancelLate({ customer: friend });
  await p.read();
  assert.deepEqual([await subjects(of), await subjects({ customer: friend })], [['Fee', 'Missed', 'Missed'], ['Fee']]);
});

test('the parents of a child receive its messages, and nobody can turn them off', async () => {
  const family = await row(world, 'family', {});
  const of = await p.holder();
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE customer SET family_id = ${family}, family_role = 'manager'
        WHERE provider_id = ${world.harbour} AND id = ${of.customer}`,
    ),
  );
  const child = await world.newCustomer({ first_name: 'Byron', family_id: family, family_role: 'child' });
  await p.m.share(of.owned, child);
  await message(of.system, 'non_penalized_infraction', '{{participant.first_name}} missed it, {{customer.first_name}}');
  await p.cancelLate({ customer: child });
  await p.read();
  assert.deepEqual(
    (await ledger(of.customer)).map((m) => [m.subject, m.about_customer_id]),
    [['Byron missed it, Test', child]],
  );
  assert.deepEqual(await ledger(child), []);
  const preference = (await p.get(`/customers/${of.customer}/notification_preferences`)).results.find(
    (one: any) => one.type === 'membership_penalty',
  );
  assert.deepEqual(preference.toggleability, { email: false, sms: false });
  assert.equal(
    (await p.patch(`/customers/${of.customer}/notification_preferences/${preference.id}`, { email_enabled: false }))
      .status,
    400,
  );
});

test('without a message nobody is notified, and everything counts nevertheless', async () => {
  const of = await p.holder();
  await p.cancelLate(of, 3);
  await p.read();
  assert.deepEqual([await subjects(of), (await p.owed(of)).length], [[], 1]);
  const [stranger] = await newCustomers(world, 1);
  assert.deepEqual(await ledger(stranger), []);
});
