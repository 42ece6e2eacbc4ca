/** Tests that credits and charges of holds follow later changes of their membership. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { editAll } from '../prices/price-edit.ts';
import { HoldWorld, NOON } from '../../../../test/worlds/hold-world.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
after(() => h?.close());

const post = async (path: string, body: object): Promise<any> => {
  const answer = await h.world.post(path, { as: h.world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

/** Returns charges and credits among the effects, in the format of `standing`; voided ones have a `-`. */
const money = ({ effects }: { effects: { effect: string; detail: any }[] }): string[] =>
  effects.flatMap(({ effect, detail }) =>
    effect.endsWith('_voided')
      ? [`-${effect.slice(0, -7)} ${detail.amount_minor}`]
      : effect === 'credit' || effect === 'charge'
        ? [`${effect} ${detail.amount_minor}`]
        : [],
  );

test('a new price changes the value of days in later periods, and a dry run shows this; payments already made stay', async () => {
  const { membership } = await h.m.recurring([]);
  const [later, now] = [await h.holder(membership), await h.holder(membership)];
  await h.hold(later.owned, '2026-07-20', '2026-08-04');
  await h.hold(now.owned, '2026-06-20', '2026-06-30');
  assert.deepEqual(
    [await h.standing(later.owned), await h.standing(now.owned)],
    [['credit 20.65 2026-07-20 hold'], ['credit 14.67 2026-06-20 hold']],
  );
  const told = await post('/customer_memberships/bulk_edit_prices?dry_run=true', { membership, billed_price: '80.00' });
  assert.deepEqual(money(told), ['-credit 2065', 'credit 4129']);
  assert.deepEqual(await h.standing(later.owned), ['credit 20.65 2026-07-20 hold'], 'a dry run changes nothing');
  await h.world.work(h.world.harbour, (work) => editAll(work, [later.owned, now.owned], { price: 8000 }));
  assert.deepEqual(
    [await h.standing(later.owned), await h.standing(now.owned)],
    [['credit 41.29 2026-07-20 hold'], ['credit 14.67 2026-06-20 hold']],
  );
});

test('the last day of a membership decides whether it becomes active again after a hold, and what is charged for that', async () => {
  const { membership } = await h.m.recurring([]);
  const { owned } = await h.holder(membership, { expiration_date: '2026-08-04' });
  await h.hold(owned, '2026-06-25', '2026-08-04');
  const credit = 'credit 20.00 2026-06-25 hold';
  assert.deepEqual(await h.standing(owned), [credit]);
  const steps = [
    {
      ask: 'extend_expiration',
      body: { expiration_date: '2026-08-31' },
      told: ['charge 645'],
      left: [credit, 'charge 6.45 2026-08-05 reactivation'],
    },
    { ask: 'cancel', body: { forced_expiration_date: '2026-08-04' }, told: ['-charge 645'], left: [credit] },
    { ask: 'reactivate', body: {}, told: ['charge 645'], left: [credit, 'charge 6.45 2026-08-05 reactivation'] },
  ];
  for (const { ask, body, told, left } of steps) {
    assert.deepEqual(money(await post(`/customer_memberships/${owned}/${ask}?dry_run=true`, body)), told, ask);
    await post(`/customer_memberships/${owned}/${ask}`, body);
    assert.deepEqual(await h.standing(owned), left, ask);
  }
  const many = await h.world.put('/customer_memberships/bulk_extend_expiration_dates?dry_run=true', {
    as: h.world.machine,
    body: { customermembership_ids: [owned], days: 3 },
  });
  assert.deepEqual(money(many.body), [], 'what stays the same is not decided anew');
});

test('a charge of a hold that staff voided stays voided when the hold is recalculated', async () => {
  const { membership } = await h.m.recurring([]);
  const { owned } = await h.holder(membership);
  const id = await h.hold(owned, '2026-06-20', '2026-07-20');
  const charge = 'charge 25.81 2026-07-21 reactivation';
  assert.equal((await h.standing(owned)).length, 2);
  const { results } = await h.get(`/account_entries?customer_membership=${owned}&kind=credit&sort=id`);
  await post(`/account_entries/${results[0].id}/void`, { explanation: 'They came all the same.' });
  const voided = await h.standing(owned);
  assert.deepEqual(voided, [charge]);
  h.world.setNow(Date.parse('2026-06-20T16:00Z'));
  try {
    await h.settle();
    assert.deepEqual(await h.standing(owned), voided, 'when the hold begins');
    assert.equal((await h.edit(id, { end_date: '2026-07-19' })).status, 200);
    assert.deepEqual(await h.standing(owned), ['charge 27.10 2026-07-20 reactivation'], 'after another end');
    await h.world.work(h.world.harbour, (work) => editAll(work, [owned], { price: 8000 }));
    await h.settle();
    assert.ok(
      (await h.standing(owned)).every((entry) => entry.startsWith('charge')),
      'after another price',
    );
  } finally {
    h.world.setNow(NOON);
  }
});

test('a charge after a hold that staff void is not charged again for its period, only for another one', async () => {
  const { membership } = await h.m.recurring([]);
  const { owned } = await h.holder(membership);
  const id = await h.hold(owned, '2026-06-20', '2026-07-20');
  const [credit] = await h.standing(owned);
  const { results } = await h.get(`/account_entries?customer_membership=${owned}&kind=charge&sort=id`);
  await post(`/account_entries/${results[0].id}/void`, { explanation: 'A present.' });
  assert.equal((await h.edit(id, { end_date: '2026-07-19' })).status, 200);
  assert.deepEqual(await h.standing(owned), [credit]);
  assert.equal((await h.edit(id, { end_date: '2026-08-20' })).status, 200);
  assert.equal((await h.standing(owned)).length, 2);
});
