import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { feedEnd, feedSince, seats } from '../../../../test/schedule-world.ts';
import { HoldWorld, NOON } from '../../../../test/worlds/hold-world.ts';
import { limit } from '../../../../test/worlds/membership-world.ts';
import type { ApiAnswer } from '../../../../test/world.ts';

let h: HoldWorld;
before(async () => {
  h = await HoldWorld.start();
});
beforeEach(() => h.world.setNow(NOON));
after(() => h.close());

/**
 * Returns everything written since an item of the feed, in the words of effects: read from the rows and the feed, not
 * from the response.
 */
async function written(since: number, owned: number): Promise<string[]> {
  const items = await feedSince(h.world, since);
  const told: Record<string, (p: any) => string> = {
    'customer_membership_hold.created': (p) => `hold_created ${p.start_date} ${p.end_date}`,
    'customer_membership_hold.updated': (p) => `hold_updated ${p.start_date} ${p.end_date}`,
    'customer_membership_hold.ended': (p) => `hold_ended ${p.start_date} ${p.end_date}`,
    'customer_membership_hold.deleted': (p) => `hold_removed ${p.start_date} ${p.end_date}`,
    'customer_membership.held': () => 'membership_held',
    'customer_membership.resumed': () => 'membership_resumed',
    'event_registration.cancelled': (p) => `booking_cancelled ${p.attendance}`,
    'customer_membership.credited': (p) => `membership_credited ${p.attendance}`,
    'waitlist.promoted': (p) => `waitlist_promoted ${p.event}`,
    'account_entry.voided': (p) => `voided ${p.account_entry}`,
  };
  const entries = await h.rows(
    `SELECT a.kind, a.amount_minor, a.due_on::text AS due FROM feed_item f JOIN account_entry a ON a.id = f.object_id
     WHERE f.kind = 'account_entry.created' AND f.provider_id = $1 AND f.id > $2 AND a.customer_membership_id = $3`,
    [h.world.harbour, since, owned],
  );
  return [
    ...items.flatMap((f) => (told[f.kind] ? [told[f.kind](f.payload)] : [])),
    ...entries.map((a) => `${a.kind} ${a.amount_minor} ${a.due}`),
  ].toSorted();
}

/**
 * Returns the effects of a dry run in the same words; those that only it has (a booking that stays, a last day that
 * moves) are tested separately.
 */
const said = (effects: any[]): string[] =>
  effects
    .flatMap(({ effect, id, detail: d }) => {
      if (effect.startsWith('hold_')) return [`${effect} ${d.start_date} ${d.end_date}`];
      if (effect === 'credit' || effect === 'charge') return [`${effect} ${d.amount_minor} ${d.due_date}`];
      if (effect === 'booking_cancelled') return [`${effect} ${id}`];
      if (effect === 'membership_credited') return [`${effect} ${d.attendance}`];
      if (effect === 'waitlist_promoted') return [`${effect} ${d.event}`];
      if (effect.endsWith('_voided')) return [`voided ${d.account_entry}`];
      return effect.startsWith('membership_') && effect !== 'membership_used' ? [effect] : [];
    })
    .toSorted();

/** Reads everything that a dry run must not change. */
const everything = (): Promise<any[]> =>
  h.rows(`SELECT 'h' AS t, to_jsonb(x) AS row FROM customer_membership_hold x UNION ALL SELECT 'm', to_jsonb(x)
    FROM customer_membership x UNION ALL SELECT 'a', to_jsonb(x) FROM attendance x
    UNION ALL SELECT 'd', to_jsonb(x) FROM account_entry x UNION ALL SELECT 'n', to_jsonb(x) FROM entitlement_entry x
    UNION ALL SELECT 'w', to_jsonb(x) FROM waitlist_spot x
    UNION ALL SELECT 'f', to_jsonb(count(*)) FROM feed_item UNION ALL SELECT 'u', to_jsonb(count(*)) FROM audit_entry
    ORDER BY 1, 2`);

/** Previews a call, then makes it, and asserts that the preview matches the result and wrote nothing. */
async function sameAsSaid(owned: number, call: (query: string) => Promise<ApiAnswer>): Promise<any[]> {
  const before = await everything();
  const preview = await call('?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(await everything(), before, 'a dry run writes nothing');
  const expiration = (await h.get(`/customer_memberships/${owned}`)).expiration_date;
  const since = await feedEnd(h.world);
  const done = await call('');
  assert.ok(done.status < 300, done.text);
  assert.deepEqual(said(preview.body.effects), await written(since, owned));
  const moved = preview.body.effects.find((e: any) => e.effect === 'expiration_moved');
  assert.deepEqual(
    [moved?.detail.from ?? expiration, moved?.detail.to ?? expiration],
    [expiration, (await h.get(`/customer_memberships/${owned}`)).expiration_date],
  );
  for (const kept of preview.body.effects.filter((e: any) => e.effect === 'booking_kept')) {
    assert.equal((await h.get(`/attendances/${kept.id}`)).status, 'registered');
  }
  return preview.body.effects;
}

const setting = (policy: string) =>
  h.rows('UPDATE provider SET bookings_without_membership = $1 WHERE provider_id = $2', [policy, h.world.harbour]);

for (const policy of ['cancel', 'keep']) {
  test(`a dry run of creating, changing and ending a hold shows exactly what is then written (${policy})`, async () => {
    await setting(policy);
    const { membership } = await h.m.recurring([limit('billing_period', 10)], { price: '30.00' });
    const { customer, owned } = await h.holder(membership, { expiration_date: '2027-01-31' });
    const next = await h.holder(membership);
    const [inside, before, after] = [
      await h.booked(customer, 10, { max_occupancy: 1 }),
      await h.booked(customer, 1),
      await h.booked(customer, 40),
    ];
    assert.equal(
      (
        await h.world.post(`/events/${inside.event}/join_waitlist`, {
          as: h.world.machine,
          body: { customer: next.customer },
        })
      ).status,
      200,
    );

    const made = await sameAsSaid(owned, (query) =>
      h.ask(
        { customer_membership: owned, start_date: '2026-06-18', end_date: '2026-07-05', extend_expirations: true },
        query,
      ),
    );
    assert.ok(made.some((e) => e.effect === 'expiration_moved') && made.some((e) => e.effect === 'credit'));
    assert.deepEqual(
      made.filter((e) => e.effect.startsWith('booking_')).map((e) => [e.effect, e.id]),
      [[policy === 'cancel' ? 'booking_cancelled' : 'booking_kept', inside.attendance]],
    );
    assert.equal((await h.get(`/attendances/${before.attendance}`)).status, 'registered');
    assert.equal((await seats(h.world, inside.event)).waiting, policy === 'cancel' ? 0 : 1);

    const [{ id }] = (await h.get(`/customer_membership_holds?customer_membership=${owned}`)).results;
    const longer = await sameAsSaid(owned, (query) => h.edit(id, { end_date: '2026-08-19' }, query));
    assert.deepEqual(
      longer.filter((e) => e.effect.startsWith('booking_')).map((e) => e.id),
      [after.attendance],
      'of the days that are new',
    );
    assert.ok(
      ['credit_voided', 'credit', 'charge'].every((effect) => longer.some((e) => e.effect === effect)),
      'more days of the first period, and a part of another',
    );
    await sameAsSaid(owned, (query) => h.edit(id, { make_open_ended: true }, query));

    h.world.setNow(Date.parse('2026-07-25T16:00Z'));
    await h.settle();
    const ended = await sameAsSaid(owned, (query) => h.end(id, {}, query));
    assert.ok(
      ['hold_ended', 'membership_resumed', 'charge', 'expiration_moved'].every((effect) =>
        ended.some((e) => e.effect === effect),
      ),
      JSON.stringify(ended),
    );

    const again = await h.hold(owned, '2026-09-01', '2026-09-05', { extend_expirations: true });
    const removed = await sameAsSaid(owned, (query) => h.end(again, {}, query));
    assert.ok(removed.some((e) => e.effect === 'hold_removed') && removed.some((e) => e.effect === 'credit_voided'));
    await setting('cancel');
  });
}

test('the amounts in a dry run are those of the payment resolution', async () => {
  const { owned } = await h.holder((await h.m.recurring([], { price: '49.99' })).membership);
  const body = { customer_membership: owned, start_date: '2026-06-13', end_date: '2026-07-29' };
  const { effects } = (await h.ask(body, '?dry_run=true')).body;
  const id = await h.hold(owned, body.start_date, body.end_date);
  const { resolution } = await h.get(`/customer_membership_holds/${id}/payment_resolution`);
  const of = (effect: string) => effects.find((e: any) => e.effect === effect).detail.amount_minor / 100;
  assert.deepEqual([of('credit'), of('charge')], [resolution.credit.decimal, resolution.charge.decimal]);
});
