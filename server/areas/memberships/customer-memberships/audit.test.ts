import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { completeOver } from './renewals/complete.ts';
import { editAll } from './prices/price-edit.ts';
import { HoldWorld, NOON } from '../../../test/worlds/hold-world.ts';
import { isWrite } from '../../../kernel/api/contract.ts';
import { MemberWorld } from '../../../test/worlds/member-world.ts';
import { nameOf } from '../../../test/matrix/cases.ts';
import { newCustomers } from '../../../test/schedule-world.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { renewDue } from './renewals/renew.ts';
import { settleDue } from './holds/calendar.ts';
import { shareAll } from './sharing/share-with-families.ts';

let h: HoldWorld;
let w: MemberWorld;
before(async () => {
  h = await HoldWorld.start();
  w = new MemberWorld(h.world, h.m, h.owner);
});
after(() => h.close());

const TODAY = '2026-06-10';
const day = (n: number): string => addDays(TODAY, n);

/** Tables whose rows are compared, by the names that the audit has for them. */
const TABLES = {
  customermembership: 'customer_membership',
  customer_membership_hold: 'customer_membership_hold',
  membership: 'membership',
  membership_price_change: 'membership_price_change',
} as const;

type Row = Record<string, unknown>;

/** Returns every row of these tables as the audit would show it, by object and id. */
const rowsNow = (): Promise<Map<string, Row>> =>
  h.world.work(h.world.harbour, async ({ tx }) => {
    const all = new Map<string, Row>();
    for (const [object, table] of Object.entries(TABLES))
      for (const row of await tx.rows(sql`SELECT * FROM ${raw(table)}`)) all.set(`${object} ${row.id}`, plain(row));
    for (const row of await tx.rows<{ id: number; shared_with: number[] }>(
      sql`SELECT customer_membership_id AS id, array_agg(customer_id ORDER BY customer_id) AS shared_with
        FROM customer_membership_share GROUP BY 1`,
    ))
      all.set(`customermembership ${row.id}`, { ...all.get(`customermembership ${row.id}`), ...plain(row) });
    return all;
  });

const plain = (row: object): Row => JSON.parse(JSON.stringify(row));

interface Entry {
  readonly object: string;
  readonly object_id: number;
  readonly before: Row | null;
  readonly after: Row | null;
}

const lastEntry = async (): Promise<number> =>
  (await h.rows('SELECT coalesce(max(id), 0)::float8 AS id FROM audit_entry'))[0].id;

const entriesSince = async (id: number): Promise<Entry[]> =>
  (
    await h.rows(
      'SELECT object, object_id::int, before, after FROM audit_entry WHERE provider_id = $1 AND id > $2 ORDER BY id',
      [h.world.harbour, id],
    )
  ).filter((entry) => entry.object in TABLES && entry.object_id !== null);

/** Checks that an entry agrees with the row; an empty list of shares equals an absent one. */
function assertSays(said: Row | null, row: Row | undefined, what: string): void {
  assert.equal(said === null, row === undefined, `${what}: ${said === null ? 'none' : 'some'} is audited`);
  for (const [name, value] of Object.entries(said ?? {}))
    if (name === 'shared_with') assert.deepEqual(value, row![name] ?? [], `${what}: ${name}`);
    else if (name in row!) assert.deepEqual(value, row![name], `${what}: ${name}`);
}

/** Checks that every row that an action changes is audited before and after, and no other. */
async function assertAudited(act: () => Promise<unknown>, expected: readonly string[]): Promise<void> {
  const [since, was] = [await lastEntry(), await rowsNow()];
  await act();
  const [entries, is] = [await entriesSince(since), await rowsNow()];
  const of = Map.groupBy(entries, (entry) => `${entry.object} ${entry.object_id}`);
  const different = [...new Set([...was.keys(), ...is.keys()])].filter(
    (key) => JSON.stringify(was.get(key)) !== JSON.stringify(is.get(key)) && !onlyCounts(was.get(key), is.get(key)),
  );
  assert.deepEqual([...of.keys()].toSorted(), different.toSorted(), 'what is audited is what has changed');
  for (const [key, chain] of of) {
    assertSays(chain[0].before, was.get(key), `${key} before`);
    assertSays(chain.at(-1)!.after, is.get(key), `${key} after`);
  }
  const kinds = [...of].map(([key, [{ before: b, after: a }]]) => `${key.split(' ')[0]} ${verb(b, a)}`);
  assert.deepEqual(kinds.toSorted(), [...expected].toSorted());
}

const verb = (b: Row | null, a: Row | null): string => (b === null ? 'created' : a === null ? 'deleted' : 'changed');

/** Returns true if only the number of owners differs, which the database maintains: the product has not changed. */
const onlyCounts = (a: Row | undefined, b: Row | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.active_member_count !== b.active_member_count &&
  JSON.stringify({ ...a, active_member_count: 0 }) === JSON.stringify({ ...b, active_member_count: 0 });

const CHANGED = 'customermembership changed';
const CREATED = 'customermembership created';
const HOLD = { created: 'customer_membership_hold created', changed: 'customer_membership_hold changed' };
const HOLD_GONE = 'customer_membership_hold deleted';

interface Case {
  readonly does: string;
  /** endpoint that is called, or job that runs */
  readonly by: string;
  /** prepares the action, and returns it */
  readonly act: () => Promise<() => Promise<unknown>>;
  readonly audited: readonly string[];
}

const ask = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object = {}): Promise<any> => {
  const answer = await h.world.ask(method, path, { as: h.world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};

const plan = (over: object = {}) => w.m.recurring([], over as Row).then(({ membership }) => membership);

/** Creates a customer with a recurring plan that began this month. */
const owner = async (over: Row = {}): Promise<{ id: number; customer: number }> =>
  w.holder(await plan(), { start_date: '2026-06-01', ...over });

/** A price that a holder of a new plan has from another day on. */
const priced = async (): Promise<Row> => {
  const membership = await plan();
  await w.holder(membership, { start_date: '2026-06-01' });
  return { membership, billed_price: '45.00', applies_on: day(60) };
};

const change =
  (what: string, body: object | (() => Promise<object>) = {}, over: Row = {}) =>
  async () => {
    const { id } = await owner(over);
    const sent = typeof body === 'function' ? await body() : body;
    return () => ask('POST', `/customer_memberships/${id}/${what}`, sent);
  };

/** Like `owner`, with a hold on future days. */
const onHoldLater =
  (what: string, body: object | (() => Promise<object>), days: readonly [number, number]) => async () => {
    const { id } = await owner();
    await h.hold(id, day(days[0]), day(days[1]));
    const sent = typeof body === 'function' ? await body() : body;
    return () => ask('POST', `/customer_memberships/${id}/${what}`, sent);
  };

const onHold = async (from: number, to: number | null): Promise<{ id: number; hold: number }> => {
  const { id } = await owner({ expiration_date: '2027-05-31' });
  return { id, hold: await h.hold(id, day(from), to === null ? null : day(to), { extend_expirations: true }) };
};

const another = async () => ({ membership: await plan({ price: '90.00' }) });
const PER = '/customer_memberships/{id}';

const CASES: readonly Case[] = [
  {
    does: 'sells a membership',
    by: 'POST /customer_memberships',
    act: async () => {
      const [[customer], membership] = [await newCustomers(h.world, 1), await plan()];
      return () => h.m.give(customer, membership);
    },
    audited: [CREATED],
  },
  { does: 'plans a cancellation', by: `POST ${PER}/cancel`, act: change('cancel'), audited: [CHANGED] },
  {
    does: 'cancels what was entered by mistake',
    by: `POST ${PER}/cancel`,
    act: change('cancel', { cancellation_reason: 'mistake' }),
    audited: [CHANGED],
  },
  {
    does: 'cancels what is on hold later',
    by: `POST ${PER}/cancel`,
    act: onHoldLater('cancel', { forced_expiration_date: day(10) }, [5, 20]),
    audited: [CHANGED, HOLD.changed],
  },
  {
    does: 'cancels what is on hold after its end',
    by: `POST ${PER}/cancel`,
    act: onHoldLater('cancel', { forced_expiration_date: day(3) }, [5, 20]),
    audited: [CHANGED, HOLD_GONE],
  },
  {
    does: 'takes a cancellation back',
    by: `POST ${PER}/reactivate`,
    act: async () => {
      const { id } = await owner();
      await w.change(id, 'cancel');
      return () => ask('POST', `/customer_memberships/${id}/reactivate`);
    },
    audited: [CHANGED],
  },
  {
    does: 'takes a downgrade back',
    by: `POST ${PER}/reactivate`,
    act: async () => {
      const { id } = await owner();
      await w.change(id, 'downgrade', await another());
      return () => ask('POST', `/customer_memberships/${id}/reactivate`);
    },
    audited: [CHANGED, CHANGED],
  },
  {
    does: 'extends',
    by: `POST ${PER}/extend_expiration`,
    act: change('extend_expiration', { days: 7 }, { expiration_date: '2027-05-31' }),
    audited: [CHANGED],
  },
  {
    does: 'extends many',
    by: 'PUT /customer_memberships/bulk_extend_expiration_dates',
    act: async () => {
      const all = [
        await owner({ expiration_date: '2027-05-31' }),
        await owner({ expiration_date: '2027-06-30' }),
        await owner(),
      ];
      const customermembership_ids = all.map(({ id }) => id);
      return () =>
        ask('PUT', '/customer_memberships/bulk_extend_expiration_dates', { customermembership_ids, days: 7 });
    },
    audited: [CHANGED, CHANGED],
  },
  {
    does: 'approves the billing of an imported plan',
    by: 'POST /customer_memberships/approve_renewals',
    act: async () => {
      const { id } = await owner();
      await h.world.work(h.world.harbour, ({ tx }) =>
        tx.run(sql`UPDATE customer_membership SET awaits_approval = true, renews_on = NULL WHERE id = ${id}`),
      );
      return () => ask('POST', '/customer_memberships/approve_renewals', { customermembership_ids: [id] });
    },
    audited: [CHANGED],
  },
  { does: 'upgrades', by: `POST ${PER}/upgrade`, act: change('upgrade', another), audited: [CHANGED, CREATED] },
  {
    does: 'upgrades what has a period to be renewed first',
    by: `POST ${PER}/upgrade`,
    act: async () => {
      const { id } = await owner();
      const sent = await another();
      return async () => {
        h.world.setNow(Date.parse('2026-08-03T16:00Z'));
        await ask('POST', `/customer_memberships/${id}/upgrade`, sent);
      };
    },
    audited: [CHANGED, CREATED],
  },
  {
    does: 'upgrades what is on hold, and shared',
    by: `POST ${PER}/upgrade`,
    act: async () => {
      const { id } = await owner();
      await h.hold(id, TODAY, day(5));
      const [friend] = await newCustomers(h.world, 1);
      await w.change(id, 'share', { customers: [friend], family: true });
      const membership = (await w.m.recurring([], { price: '90.00' }, { shareable: true })).membership;
      return () => ask('POST', `/customer_memberships/${id}/upgrade`, { membership });
    },
    audited: [CHANGED, CREATED, HOLD_GONE],
  },
  {
    does: 'plans a downgrade',
    by: `POST ${PER}/downgrade`,
    act: change('downgrade', another),
    audited: [CHANGED, CREATED],
  },
  {
    does: 'shares by name',
    by: `POST ${PER}/share`,
    act: change('share', async () => ({ customers: await newCustomers(h.world, 2) })),
    audited: [CHANGED],
  },
  {
    does: 'shares with the family',
    by: `POST ${PER}/share`,
    act: change('share', { family: true }),
    audited: [CHANGED],
  },
  {
    does: 'stops sharing',
    by: `POST ${PER}/unshare`,
    act: async () => {
      const { id } = await owner();
      const [friend] = await newCustomers(h.world, 1);
      await w.change(id, 'share', { customers: [friend], family: true });
      return () => ask('POST', `/customer_memberships/${id}/unshare`, { customers: [friend], family: true });
    },
    audited: [CHANGED],
  },
  {
    does: 'shares what is sold with families',
    by: 'POST /memberships/{id}/share_with_families',
    act: async () => {
      const { membership } = await w.m.recurring([], {}, { shareable: true });
      return () => ask('POST', `/memberships/${membership}/share_with_families`);
    },
    audited: ['membership changed'],
  },
  {
    does: 'shares what each owns of it',
    by: 'job bulk_share_with_families',
    act: async () => {
      const ids = [(await owner()).id, (await owner()).id];
      return () => w.job((work) => shareAll(work, ids));
    },
    audited: [CHANGED, CHANGED],
  },
  {
    does: 'leaves prices to a job',
    by: 'POST /customer_memberships/bulk_edit_prices',
    act: async () => {
      const { id } = await owner();
      return () =>
        ask('POST', '/customer_memberships/bulk_edit_prices', { customermembership_ids: [id], billed_price: '45.00' });
    },
    audited: [],
  },
  {
    does: 'changes prices, and what a hold gives back of them',
    by: 'job bulk_edit_prices',
    act: async () => {
      const [{ id }, plain] = [await owner(), await owner()];
      await h.hold(id, day(40), day(50));
      return () => w.job((work) => editAll(work, [id, plain.id], { price: 6000 }).then(() => undefined));
    },
    audited: [CHANGED, CHANGED, HOLD.changed],
  },
  {
    does: 'puts on hold',
    by: 'POST /customer_membership_holds',
    act: async () => {
      const { id } = await owner();
      return () => h.hold(id, TODAY, day(5));
    },
    audited: [HOLD.created, CHANGED],
  },
  {
    does: 'puts on hold later, which moves no last day',
    by: 'POST /customer_membership_holds',
    act: async () => {
      const { id } = await owner();
      return () => h.hold(id, day(3), day(5));
    },
    audited: [HOLD.created],
  },
  {
    does: 'makes a hold longer, which moves the last day',
    by: 'PATCH /customer_membership_holds/{id}',
    act: async () => {
      const { hold } = await onHold(3, 5);
      return () => ask('PATCH', `/customer_membership_holds/${hold}`, { days_to_add: 3 });
    },
    audited: [HOLD.changed, CHANGED],
  },
  {
    does: 'ends a hold before it begins',
    by: 'POST /customer_membership_holds/{id}/end',
    act: async () => {
      const { hold } = await onHold(3, 5);
      return () => ask('POST', `/customer_membership_holds/${hold}/end`);
    },
    audited: [HOLD_GONE, CHANGED],
  },
  {
    does: 'ends a hold that has begun',
    by: 'POST /customer_membership_holds/{id}/end',
    act: async () => {
      const { hold } = await onHold(0, 9);
      return () => ask('POST', `/customer_membership_holds/${hold}/end`, { on_date: day(4) });
    },
    audited: [HOLD.changed, CHANGED],
  },
  {
    does: 'puts many on hold',
    by: 'PUT /customer_memberships/bulk_create_holds',
    act: async () => {
      const customermembership_ids = [(await owner()).id, (await owner()).id];
      const body = { customermembership_ids, hold_type: 'open_ended', start_date: TODAY };
      return () => ask('PUT', '/customer_memberships/bulk_create_holds', body);
    },
    audited: [HOLD.created, CHANGED, HOLD.created, CHANGED],
  },
  {
    does: 'ends many holds',
    by: 'PUT /customer_memberships/bulk_edit_holds',
    act: async () => {
      const customermembership_ids = [(await onHold(0, null)).id, (await onHold(3, 5)).id];
      return () =>
        ask('PUT', '/customer_memberships/bulk_edit_holds', { customermembership_ids, end_immediately: true });
    },
    audited: [HOLD_GONE, CHANGED, HOLD_GONE, CHANGED],
  },
  {
    does: 'begins and ends holds by the calendar',
    by: 'job settle_holds',
    act: async () => {
      await onHold(1, 5);
      await onHold(0, 1);
      return () => at(`${day(3)}T16:00Z`, settleDue);
    },
    audited: [HOLD.changed, CHANGED, HOLD.changed, CHANGED],
  },
  {
    does: 'ends the hold of what has ended',
    by: 'job settle_holds',
    act: async () => {
      const { id } = await onHold(0, 9);
      await h.rows(`UPDATE customer_membership SET status = 'completed', ended_at = now() WHERE id = $1`, [id]);
      return () => at(`${day(1)}T16:00Z`, settleDue);
    },
    audited: [HOLD.changed],
  },
  {
    does: 'plans another price',
    by: 'POST /membership_price_changes',
    act: async () => {
      const planned = await priced();
      return () => ask('POST', '/membership_price_changes', planned);
    },
    audited: ['membership_price_change created'],
  },
  {
    does: 'takes a planned price back',
    by: 'POST /membership_price_changes/{id}/cancel',
    act: async () => {
      const { id } = await ask('POST', '/membership_price_changes', await priced());
      return () => ask('POST', `/membership_price_changes/${id}/cancel`);
    },
    audited: ['membership_price_change changed'],
  },
  {
    does: 'renews',
    by: 'job renew_memberships',
    act: async () => {
      await owner();
      await w.holder(await plan(), { start_date: TODAY });
      return () => at('2026-09-02T16:00Z', renewDue);
    },
    audited: [CHANGED, CHANGED],
  },
  {
    does: 'completes what is over, and what was cancelled',
    by: 'job complete_memberships',
    act: async () => {
      await w.holder(await w.m.pack(5, { duration: 1, duration_unit: 'weeks' }));
      const { id } = await w.holder(await w.m.pack(5));
      await w.change(id, 'cancel', { forced_expiration_date: day(2) });
      return () => at('2026-09-02T16:00Z', completeOver);
    },
    audited: [CHANGED, CHANGED],
  },
  {
    does: 'gives what one record owns to the record that stays',
    by: 'POST /customers/{id}/merge',
    act: async () => {
      const [{ customer }, other] = [await owner(), await owner()];
      return () => ask('POST', `/customers/${customer}/merge`, { from: other.customer });
    },
    audited: [CHANGED],
  },
  {
    does: 'begins with the first booking',
    by: 'POST /events/{id}/register',
    act: async () => {
      const { customer } = await w.holder(await w.m.pack(5, { begin_on_first_registration: true }));
      const event = await w.event(2);
      return () => w.book(event, customer);
    },
    audited: [CHANGED],
  },
];

const at = async (time: string, run: Parameters<MemberWorld['job']>[0]): Promise<void> => {
  h.world.setNow(Date.parse(time));
  await w.job(run);
};

/** Completes what other cases have left, before calendar changes are tested. */
async function quiet(): Promise<void> {
  h.world.setNow(NOON);
  const mine = [h.world.harbour];
  await h.rows(
    `UPDATE customer_membership SET status = 'completed', ended_at = now(), is_set_for_cancellation = false,
      renews_on = NULL
     WHERE provider_id = $1 AND status IN ('active', 'hold')`,
    mine,
  );
  await h.rows(
    `UPDATE customer_membership_hold SET held_at = coalesce(held_at, now()), resumed_at = now()
     WHERE provider_id = $1 AND resumed_at IS NULL`,
    mine,
  );
}

for (const { does, by, act, audited } of CASES)
  test(`${by} ${does}: ${audited.join(', ') || 'nothing'}, as it was and as it is`, async () => {
    await quiet();
    await assertAudited(await act(), audited);
  });

test('the cases include every writing endpoint of the area', () => {
  const called = new Set(CASES.map(({ by }) => by));
  const writes = h.world.app.registry.endpoints.filter((e) => e.area === 'customer_memberships' && isWrite(e));
  assert.deepEqual(
    writes.map(nameOf).filter((name) => !called.has(name)),
    [],
  );
});
