import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { billed, payWith } from '../test/invoicing.ts';
import { feedEnd, feedSince, newCustomers, row } from '../../../../test/schedule-world.ts';
import { invoices, issueCreditNote } from '../index.ts';
import { numberFeedItems } from '../../../../kernel/work/feed/number.ts';
import { ownContext } from '../../../../test/own-context.ts';
import { readPortion } from '../../../../kernel/work/worker/read-portion.ts';
import { remind } from './reminders.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
  const tax = { kind: 'tax', type: 'percent', percentage: '13', is_taxable: false, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'HST', ...tax });
});
after(() => world.close());

/** Sends all messages that are due, like a worker. */
async function tell(): Promise<void> {
  while ((await numberFeedItems(world.app.db)) > 0);
  const [reader] = invoices.readers!;
  for (let outcome = 'more'; outcome === 'more';) {
    outcome = await readPortion(ownContext(world), reader, world.harbour);
    assert.notEqual(outcome, 'failed');
  }
}

const told = (customer: number): Promise<{ kind: string; subject: string; text: string }[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT kind, subject, text_part AS text FROM message
        WHERE provider_id = ${world.harbour} AND customer_id = ${customer} ORDER BY id`,
    ),
  );

const kinds = async (customer: number): Promise<string[]> => (await told(customer)).map(({ kind }) => kind);
const customer = async (): Promise<number> => (await newCustomers(world, 1))[0];

test('an unpaid invoice is emailed with its lines and the amount due; its receipt follows when it is paid', async () => {
  const payer = await customer();
  const { id, number } = await billed(world, payer, [{ quantity: 2, discount: 1000 }], { dueOn: '2031-07-26' });
  await tell();
  const [{ kind, subject, text }] = await told(payer);
  assert.deepEqual([kind, subject], ['invoice_issued', `Invoice ${number} from Harbour`]);
  for (const said of [
    '2 × Rowing on 12 July: $40.00',
    'Discount: −$10.00',
    'HST: $3.90',
    'Total: $33.90',
    'by July 26, 2031',
    `/account/${world.harbour}/profile/owed`,
  ])
    assert.ok(text.includes(said), `${said} in ${text}`);
  await payWith(world, payer, id, 3390);
  await tell();
  await tell();
  const [, receipt, ...more] = await told(payer);
  assert.deepEqual([receipt.kind, receipt.subject, more], ['invoice_paid', 'Your receipt from Harbour', []]);
  assert.ok(
    receipt.text.includes(`receipt for invoice ${number}`) && receipt.text.includes('Total: $33.90'),
    receipt.text,
  );
});

test('an immediate payment has one message, its receipt; a free invoice has none', async () => {
  const [paying, free] = await newCustomers(world, 2);
  const { id, total } = await billed(world, paying);
  await payWith(world, paying, id, total);
  await billed(world, free, [{ list: 500, discount: 500 }]);
  await tell();
  assert.deepEqual([await kinds(paying), await kinds(free)], [['invoice_paid'], []]);
});

test('a credit note is emailed with its reason', async () => {
  const payer = await customer();
  const { id, lines } = await billed(world, payer);
  await payWith(world, payer, id, 4520);
  await world.work(world.harbour, (w) =>
    issueCreditNote(w, {
      invoice: id,
      lines: [{ line: lines[0].id, amount: 1130 }],
      why: 'It began late.',
      to: 'credit',
    }),
  );
  await tell();
  const [, { kind, text }] = await told(payer);
  assert.equal(kind, 'credit_note_issued');
  assert.ok(text.includes('It began late.') && text.includes('−$11.30'), text);
});

test('staff can send the current invoice again, as often as they ask; a voided one, or one that reaches nobody, is refused', async () => {
  const [payer, silent] = await newCustomers(world, 2);
  const { id } = await billed(world, payer);
  const send = (invoice: number, query = '') =>
    world.post(`/invoices/${invoice}/send${query}`, { as: world.machine, body: {} });
  const since = await feedEnd(world);
  assert.ok((await send(id, '?dry_run=true')).body.effects.some((one: any) => one.effect === 'message_sent'));
  assert.deepEqual(await kinds(payer), []);
  await send(id);
  world.setNow(world.now + 1000);
  await send(id);
  assert.deepEqual(await kinds(payer), ['invoice_issued', 'invoice_issued']);
  await payWith(world, payer, id, 4520);
  await send(id);
  assert.equal((await kinds(payer)).at(-1), 'invoice_paid');
  assert.equal((await feedSince(world, since)).filter(({ kind }) => kind === 'invoice.sent').length, 3);
  const voided = await billed(world, payer);
  await world.post(`/invoices/${voided.id}/void`, { as: world.machine, body: { reason: 'A mistake.' } });
  assert.equal((await send(voided.id)).body.code, 'invoice_voided');
  const unreachable = await billed(world, silent);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer SET email = NULL WHERE provider_id = ${world.harbour} AND id = ${silent}`),
  );
  const refused = await send(unreachable.id);
  assert.equal(refused.status, 409);
});

test('old news is not sent', async () => {
  const payer = await customer();
  await billed(world, payer);
  world.setNow(world.now + 25 * 3_600_000);
  await tell();
  assert.deepEqual(await kinds(payer), []);
});

test('an invoice that is unpaid some days after its due date has one reminder, and shows its time', async () => {
  world.setNow(Date.parse('2031-03-10T16:00Z'));
  const [late, soon, done] = await newCustomers(world, 3);
  const bill = (payer: number, dueOn: string) => billed(world, payer, [{}], { dueOn });
  const { id, number } = await bill(late, '2031-03-07');
  await bill(soon, '2031-03-08');
  const paid = await bill(done, '2031-03-01');
  await payWith(world, done, paid.id, paid.total);
  const since = await feedEnd(world);
  await world.work(world.harbour, remind);
  const [reminder, ...more] = await told(late);
  assert.deepEqual(
    [reminder.kind, reminder.subject, more],
    ['invoice_reminder', `Invoice ${number} was due on 7 March 2031`, []],
  );
  assert.ok(reminder.text.includes('$45.20 is left to pay'), reminder.text);
  assert.deepEqual([await kinds(soon), await kinds(done)], [[], []]);
  const reminded = (await feedSince(world, since)).filter(
    ({ kind, payload }) => kind === 'invoice.reminded' && payload.customer === late,
  );
  assert.deepEqual(
    reminded.map((item) => item.payload.invoice),
    [id],
  );
  await world.work(world.harbour, remind);
  assert.equal((await told(late)).length, 1);
  assert.ok((await world.get(`/invoices/${id}`, { as: world.machine })).body.reminded_at);
  world.setNow(Date.parse('2031-03-11T16:00Z'));
  await world.patch('/invoice_settings', { as: world.machine, body: { reminder_days: null } });
  await world.work(world.harbour, remind);
  assert.deepEqual(await kinds(soon), []);
  await world.patch('/invoice_settings', { as: world.machine, body: { reminder_days: 2 } });
  await world.work(world.harbour, remind);
  assert.deepEqual(await kinds(soon), ['invoice_reminder']);
});
