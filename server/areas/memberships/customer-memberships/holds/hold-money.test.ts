/** Tests that credits and charges of holds follow later changes of their membership. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { editAll } from '../prices/price-edit.ts';
import { HoldWorld } from '../../../../test/worlds/hold-world.ts';

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
