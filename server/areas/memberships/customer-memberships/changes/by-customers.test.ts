/** Customers end their recurring plans themselves on the terms that were agreed, and undo that. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MemberWorld } from '../../../../test/worlds/member-world.ts';
import { newCustomers, row } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const NOON = '2026-06-10T16:00Z';

let world: World;
let w: MemberWorld;
before(async () => {
  world = await startWorld();
  w = await MemberWorld.of(world);
});
after(() => w.close());

type Who = ReturnType<World['customer']>;

const ask = (who: Who, id: number, what: string, body: object = {}, query = '') =>
  world.post(`/customer_memberships/${id}/${what}${query}`, { as: who, body });

/** Creates a monthly plan begun on 15 January 2026; the time is noon of 10 June. */
async function monthly(
  plan: Record<string, unknown> = {},
  of?: number,
): Promise<{ id: number; customer: number; me: Who }> {
  world.setNow(Date.parse(NOON));
  const { membership } = await w.m.recurring([], plan);
  const customer = of ?? (await newCustomers(world, 1))[0];
  const { id } = await w.m.give(customer, membership, { start_date: '2026-01-15' });
  return { id, customer, me: world.customer(customer) };
}

const shown = async (id: number): Promise<unknown[]> => {
  const path = `/customer_memberships/${id}?fields=status,expiration_date,is_set_for_cancellation,cancelled_by_customer`;
  const one = await w.get(path);
  return [one.status, one.expiration_date, one.is_set_for_cancellation, one.cancelled_by_customer];
};

const mails = (customer: number) =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows<{ kind: string; subject: string; text_part: string }>(
      sql`SELECT kind, subject, text_part FROM message WHERE provider_id = ${world.harbour}
        AND customer_id = ${customer} AND kind LIKE 'membership%' ORDER BY id`,
    ),
  );

test('a customer sees what ending a plan means, ends it with the agreed notice, gets a confirmation, and can undo it', async () => {
  const { id, customer, me } = await monthly({ cancellation_notice_days: 14 });
  const preview = await ask(me, id, 'cancel', {}, '?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(
    preview.body.effects
      .filter(({ object }: any) => object === 'customermembership')
      .map(({ effect, detail }: any) => [effect, detail]),
    [
      [
        'cancellation_scheduled',
        { last_day: '2026-07-14', reason: 'cancelled', notice_days: 14, committed_until: null },
      ],
      ['payment_due', { due_date: '2026-06-15', amount_minor: 4000 }],
    ],
  );
  assert.deepEqual([await shown(id), await mails(customer)], [['active', null, false, false], []]);
  assert.equal((await ask(me, id, 'cancel')).status, 200);
  assert.deepEqual(await shown(id), ['active', '2026-07-14', true, true]);
  const [mail] = await mails(customer);
  assert.equal(mail.kind, 'membership_ends');
  assert.match(mail.subject, /ends on Tuesday, July 14, 2026$/);
  assert.match(mail.text_part, /One more payment is due: \$40\.00 on Monday, June 15, 2026\./);
  assert.match(mail.text_part, new RegExp(`/account/${world.harbour}/profile/memberships/${id}/end`));
  const twice = await ask(me, id, 'cancel');
  assert.deepEqual([twice.status, twice.body.code], [409, 'already_cancelled']);
  assert.match(twice.body.message, /already ends on Tuesday, 14 July 2026/);

  assert.equal((await ask(me, id, 'reactivate')).status, 200);
  assert.deepEqual(await shown(id), ['active', null, false, false]);
  const [, continues] = await mails(customer);
  assert.equal(continues.kind, 'membership_continues');
  assert.match(continues.text_part, /next payment of \$40\.00 is due on Monday, June 15, 2026/);
});

test('a customer is bound by the commitment, which the preview names with each payment until then', async () => {
  const { id, me } = await monthly({ committed_billing_periods: 8 });
  const { effects } = (await ask(me, id, 'cancel', {}, '?dry_run=true')).body;
  const [ends, ...payments] = effects.filter(({ object }: any) => object === 'customermembership');
  assert.deepEqual([ends.detail.last_day, ends.detail.committed_until], ['2026-09-14', '2026-09-14']);
  assert.deepEqual(
    payments.map(({ detail }: any) => detail.due_date),
    ['2026-06-15', '2026-07-15', '2026-08-15'],
  );
});

test('a customer chooses neither the day nor the reason, and undoes only what a customer decided', async () => {
  const { id, customer, me } = await monthly();
  for (const [name, value] of [
    ['forced_expiration_date', '2026-06-11'],
    ['cancellation_reason', 'mistake'],
    ['cancellation_reason', 'no_auto_renew'],
  ])
    assert.ok((await ask(me, id, 'cancel', { [name]: value })).body.field_errors[name], `${name} ${value}`);
  assert.match((await ask(me, id, 'reactivate')).body.message, /not cancelled/);
  await w.change(id, 'cancel', { forced_expiration_date: '2026-06-12' });
  assert.equal((await ask(me, id, 'cancel')).body.code, 'already_cancelled', 'the day that staff set stays');
  const undo = await ask(me, id, 'reactivate');
  assert.deepEqual([undo.status, undo.body.code], [403, 'permission_denied']);
  assert.deepEqual(await shown(id), ['active', '2026-06-12', true, false]);
  assert.deepEqual(await mails(customer), [], 'staff write to their customers themselves');
  // A day that staff set after a customer's cancellation is staff's decision too.
  const other = await monthly();
  assert.equal((await ask(other.me, other.id, 'cancel')).status, 200);
  await w.change(other.id, 'cancel', { forced_expiration_date: '2026-06-12' });
  assert.equal((await ask(other.me, other.id, 'reactivate')).status, 403);
});

test('a customer can neither end a pack, nor what has ended, nor anybody else’s plan', async () => {
  world.setNow(Date.parse(NOON));
  const pack = await w.holder(await w.m.pack(5));
  assert.match((await ask(world.customer(pack.customer), pack.id, 'cancel')).body.message, /doesn't renew/);
  const { id, me } = await monthly();
  const [friend, stranger] = await newCustomers(world, 2);
  await w.m.share(id, friend);
  assert.equal((await ask(world.customer(friend), id, 'cancel')).status, 403, 'it is only shared with them');
  assert.equal((await ask(world.customer(stranger), id, 'cancel')).status, 404);
  await w.change(id, 'cancel', { cancellation_reason: 'mistake' });
  assert.equal((await ask(me, id, 'cancel')).body.code, 'already_ended');
  assert.equal((await ask(me, id, 'reactivate')).body.code, 'already_ended');
});

test('a parent ends the plan of their child', async () => {
  const family_id = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id, family_role: 'manager' });
  const { id } = await monthly({}, await world.newCustomer({ family_id, family_role: 'child' }));
  assert.equal((await ask(world.customer(parent), id, 'cancel')).status, 200);
  assert.equal((await shown(id))[3], true);
});
