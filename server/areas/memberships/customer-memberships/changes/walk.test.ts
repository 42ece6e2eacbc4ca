import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { chance } from '../../../../test/storm.ts';
import { completeOver } from '../renewals/complete.ts';
import { limit } from '../../../../test/worlds/membership-world.ts';
import { MemberWorld } from '../../../../test/worlds/member-world.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { renewDue } from '../renewals/renew.ts';
import { settleDue } from '../holds/calendar.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';

const STEPS = 120;

let world: World;
let w: MemberWorld;
before(async () => {
  // Contradictions are searched in the whole database.
  world = await startWorld({ own: true });
  // Uses the same days in every run, because the steps depend on the lengths of months.
  world.setNow(Date.parse('2026-06-10T16:00Z'));
  w = await MemberWorld.of(world);
});
after(() => w.close());

/** The state of a membership after each kind of feed item. */
const AFTER: Record<string, string> = {
  created: 'active',
  held: 'hold',
  resumed: 'active',
  reactivated: 'active',
  completed: 'completed',
  cancelled: 'cancelled',
  upgraded: 'cancelled',
  downgraded: 'cancelled',
};

async function recordedStates(): Promise<Map<string, string>> {
  const { rows } = await w.owner.query<{ kind: string; id: string }>(
    `SELECT substr(kind, 21) AS kind, object_id AS id FROM feed_item
     WHERE provider_id = $1 AND object = 'customermembership' ORDER BY feed_item.id`,
    [world.harbour],
  );
  const states = new Map<string, string>();
  for (const { kind, id } of rows) {
    // Undoing a cancellation that was not due yet leaves the membership on hold.
    if (kind === 'reactivated' && states.get(id) === 'hold') continue;
    if (kind in AFTER) states.set(id, AFTER[kind]);
  }
  return states;
}

/** Returns the states that the audit shows last. */
async function auditedStates(): Promise<Map<string, string>> {
  const { rows } = await w.owner.query<{
    id: string;
    status: string;
  }>(
    `SELECT DISTINCT ON (object_id) object_id AS id, after->>'status' AS status FROM audit_entry
     WHERE provider_id = $1 AND object = 'customermembership' AND after ? 'status' ORDER BY object_id, audit_entry.id DESC`,
    [world.harbour],
  );
  return new Map(rows.map((row) => [row.id, row.status]));
}

async function states(): Promise<Map<string, string>> {
  const { rows } = await w.owner.query<{ id: string; status: string }>(
    'SELECT id, status FROM customer_membership WHERE provider_id = $1 ORDER BY id',
    [world.harbour],
  );
  return new Map(rows.map((row) => [row.id, row.status]));
}

const sorted = (of: Map<string, string>) => [...of].toSorted(([a], [b]) => Number(a) - Number(b));

for (const seed of [11, 12, 13]) {
  test(`whatever is done in whatever order, use stays within what was granted, and every change of state is told and audited (walk ${seed})`, async () => {
    const luck = chance(seed);
    const start = wallAt(world.now, 'America/Toronto').date;
    world.setNow(Date.parse(`${start}T16:00Z`));
    const products = [
      await w.m.pack(4),
      await w.m.pack(2, { duration: 20, duration_unit: 'days' }),
      await w.m.prepaid({ duration: 2, duration_unit: 'months' }, [limit('week', 2)]),
      (await w.m.recurring([limit('billing_period', 3)], { cancellation_notice_days: 5 })).membership,
      (await w.m.recurring([], { committed_billing_periods: 2, commitment_expiration_scheme: 'renew_contract' }))
        .membership,
    ];
    const customers = await newCustomers(world, 3);
    const owned = await Promise.all(
      customers.map(async (customer) => (await w.m.give(customer, luck.of(products))).id as number),
    );
    const events: number[] = [];
    const booked: { event: number; customer: number }[] = [];
    const ask = (path: string, body: object) => world.post(path, { as: world.machine, body });
    const today = () => wallAt(world.now, 'America/Toronto').date;
    const steps: Record<string, () => Promise<unknown>> = {
      event: async () => events.push(await w.event(1 + luck.below(40))),
      book: async () => {
        if (events.length === 0) return;
        const of = { event: luck.of(events), customer: luck.of(customers) };
        if ((await ask(`/events/${of.event}/register`, { customer: of.customer })).status === 200) booked.push(of);
      },
      unbook: async () => {
        if (booked.length > 0)
          await ask(`/events/${luck.of(booked).event}/unregister`, { customer: luck.of(customers) });
      },
      cancel: () =>
        ask(
          `/customer_memberships/${luck.of(owned)}/cancel`,
          luck.of([
            {},
            { forced_expiration_date: addDays(today(), luck.below(30)) },
            { cancellation_reason: 'no_auto_renew' },
          ]),
        ),
      reactivate: () =>
        ask(
          `/customer_memberships/${luck.of(owned)}/reactivate`,
          luck.of([{}, { expiration_date: addDays(today(), luck.below(60)) }]),
        ),
      extend: () => ask(`/customer_memberships/${luck.of(owned)}/extend_expiration`, { days: 1 + luck.below(20) }),
      hold: () => {
        const from = addDays(today(), luck.below(12));
        return ask('/customer_membership_holds', {
          customer_membership: luck.of(owned),
          start_date: from,
          end_date: luck.of([null, addDays(from, luck.below(20))]),
          extend_expirations: luck.of([true, false]),
        });
      },
      change: async () => {
        const answer = await ask(`/customer_memberships/${luck.of(owned)}/${luck.of(['upgrade', 'downgrade'])}`, {
          membership: luck.of(products),
        });
        if (answer.status === 200) owned.push(answer.body.id);
      },
      days: async () => {
        world.setNow(Date.parse(`${addDays(today(), 1 + luck.below(9))}T16:00Z`));
        for (const job of [settleDue, renewDue, completeOver]) await w.job((work) => job(work));
      },
    };
    const names = [...Object.keys(steps), 'book', 'book', 'change', 'days'];
    const preview = new Map<string, number>();
    for (let step = 0; step < STEPS; step++) {
      const name = luck.of(names);
      const answer = (await steps[name]()) as { status?: number; text?: string } | undefined;
      assert.ok((answer?.status ?? 200) < 500, `step ${step}, ${name}: ${answer?.text}`);
      preview.set(name, (preview.get(name) ?? 0) + 1);
      assert.deepEqual(await w.membershipContradictions(), [], `after step ${step}, ${name}`);
    }
    assert.equal(preview.size, Object.keys(steps).length, 'every kind of step was taken');
    assert.deepEqual(sorted(await recordedStates()), sorted(await states()));
    assert.deepEqual(sorted(await auditedStates()), sorted(await states()));
  });
}
