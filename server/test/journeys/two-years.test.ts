/** Two years of ten members, as in docs/algorithms/two-years.md: their actions, and every resulting feed item. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allProviders } from '../../commands/provider.ts';
import { Calendar } from '../calendar.ts';
import { differencesOf } from '../../commands/ledger.ts';
import { feedEnd, feedSince, iso } from '../schedule-world.ts';
import { limit, MembershipWorld } from '../worlds/membership-world.ts';
import { formatDecimal } from '../../kernel/base/values/money.ts';
import { parseInstant } from '../../kernel/base/values/zone.ts';
import { sql, type Sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../world.ts';
import { workedTable } from '../worked-table.ts';

const STORY = 'docs/algorithms/two-years.md';
const HOUR = 3_600_000;

let world: World;
let calendar: Calendar;
let m: MembershipWorld;
/** by name: ids of memberships, payment plans, customers, and current customer memberships; by day: ids of events */
const products = new Map<string, { membership: number; plan?: number }>();
const people = new Map<string, number>();
const owned = new Map<string, number>();
const events = new Map<string, number>();

before(async () => {
  // The calendar runs every queued job in the database, so the world needs its own.
  world = await startWorld({ own: true });
  calendar = await Calendar.from(world, '2026-01-05', {
    areas: ['ledger', 'account_entries', 'customer_memberships', 'penalties'],
    readers: ['penalties'],
  });
  m = await MembershipWorld.of(world);
  await sell();
});
after(async () => {
  await calendar.close();
  await world.close();
});

async function sell(): Promise<void> {
  const month = limit('billing_period', 8, { roll_over: 2 });
  products.set(
    'Club',
    await m.recurring([month], { price: '60.00', cancellation_notice_days: 30 }, { name: 'Club', shareable: true }),
  );
  products.set('Gold', await m.recurring([], { price: '90.00' }, { name: 'Gold' }));
  products.set(
    'Year',
    await m.recurring(
      [],
      { price: '50.00', committed_billing_periods: 12, commitment_expiration_scheme: 'stop_contract' },
      { name: 'Year' },
    ),
  );
  products.set(
    'Half',
    await m.recurring(
      [],
      { price: '55.00', committed_billing_periods: 6, commitment_expiration_scheme: 'renew_contract' },
      { name: 'Half' },
    ),
  );
  products.set('Ten', {
    membership: await m.pack(10, {
      name: 'Ten',
      begin_on_first_registration: true,
      duration: 6,
      duration_unit: 'months',
    }),
  });
  products.set('Summer', {
    membership: await m.prepaid({
      name: 'Summer',
      start_date: '2026-06-01',
      expiration_date: '2026-08-31',
      use_prorate: true,
    }),
  });
  const { membership } = products.get('Club')!;
  await done('POST', '/membership_penalty_systems', {
    name: 'Come or cancel',
    memberships: [membership],
    status: 'active',
    no_show_rule: { max_infractions: 1, days: 30, price: '10.00' },
    deferred_charge_days: 2,
  });
}

async function done(method: string, path: string, body?: object): Promise<any> {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${calendar.day}: ${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
  return answer.body;
}

/** Returns the class of a day, at six in the evening. */
async function classOn(day: string): Promise<number> {
  if (!events.has(day)) {
    const starts = parseInstant(`${day}T18:00`, 'America/Toronto')!;
    const made = await done('POST', '/events', {
      name: 'Rowing',
      venue: m.place.venue,
      offering_type: m.offering,
      starts_at: iso(starts),
      ends_at: iso(starts + HOUR),
      max_occupancy: 20,
    });
    events.set(day, made.id);
  }
  return events.get(day)!;
}

async function person(name: string): Promise<number> {
  if (!people.has(name)) people.set(name, await world.newCustomer({ first_name: name }));
  return people.get(name)!;
}

const mine = (name: string): number => owned.get(name)!;

const ACTS: Record<string, (name: string, ...words: string[]) => Promise<unknown>> = {
  buys: async (name, product) =>
    owned.set(
      name,
      (await done('POST', '/customer_memberships', { customer: await person(name), ...products.get(product)! })).id,
    ),
  books: async (name, ...days) => {
    for (const day of days)
      await done('POST', `/events/${await classOn(day)}/register`, { customer: await person(name) });
  },
  unbooks: async (name, day) =>
    done('POST', `/events/${await classOn(day)}/unregister`, { customer: await person(name) }),
  misses: async (name, day) => {
    await calendar.at('20:00');
    const { results } = await done('GET', `/attendances?event=${await classOn(day)}&customer=${await person(name)}`);
    await done('PATCH', `/attendances/${results[0].id}`, { status: 'no_show' });
  },
  rests: async (name, from, _to, to) =>
    done('POST', '/customer_membership_holds', {
      customer_membership: mine(name),
      start_date: from,
      end_date: to ?? null,
      extend_expirations: true,
    }),
  returns: async (name) => {
    const { results } = await done('GET', `/customer_membership_holds?customer_membership=${mine(name)}`);
    await done('POST', `/customer_membership_holds/${results.at(-1).id}/end`, {});
  },
  cancels: (name) => done('POST', `/customer_memberships/${mine(name)}/cancel`, {}),
  reactivates: (name) => done('POST', `/customer_memberships/${mine(name)}/reactivate`, {}),
  upgrades: async (name, product) =>
    owned.set(name, (await done('POST', `/customer_memberships/${mine(name)}/upgrade`, products.get(product)!)).id),
  downgrades: async (name, product) =>
    owned.set(name, (await done('POST', `/customer_memberships/${mine(name)}/downgrade`, products.get(product)!)).id),
  shares: async (name, _with, other) =>
    done('POST', `/customer_memberships/${mine(name)}/share`, { customers: [await person(other)] }),
  unshares: async (name, _with, other) =>
    done('POST', `/customer_memberships/${mine(name)}/unshare`, { customers: [await person(other)] }),
  prices: async (_name, product, price) =>
    done('POST', '/customer_memberships/bulk_edit_prices', {
      membership: products.get(product)!.membership,
      billed_price: price,
    }),
};

/** Returns the values of an item other than ids, in words. */
function said(payload: any): string[] {
  const {
    start_date,
    end_date,
    period_start_date = start_date,
    period_end_date = end_date,
    contract_renewed,
    uses_left,
    from: _from,
    before,
    after: now,
    ...rest
  } = payload;
  const days = period_start_date ? [`${period_start_date} ${period_end_date ? `to ${period_end_date}` : 'on'}`] : [];
  const left = typeof uses_left === 'number' ? [`${uses_left} left`] : [];
  const words = Object.entries(rest)
    .filter(([, value]) => typeof value === 'string')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...days,
    ...left,
    ...(before === undefined ? [] : [`${before} to ${now}`]),
    ...words.map(([, value]) => String(value)),
    ...(contract_renewed ? ['a new contract'] : []),
  ];
}

/** Returns one line for an item: the day, the customer, the kind, and its other values. */
function told(
  { kind, payload }: { kind: string; payload: any },
  owners: ReadonlyMap<number, string>,
  day: string,
): string {
  const who =
    [...people].find(([, id]) => id === payload.customer)?.[0] ?? owners.get(payload.customer_membership) ?? '';
  const on = [...events].find(([, id]) => id === payload.event)?.[0];
  return [day, who, kind, [...(on ? [`of ${on}`] : []), ...said(payload)].join(', ')].join(' | ');
}

/** Messages, events and people are not part of this story. */
const TOLD =
  /^(customer_membership|account_entry|membership_strike|membership_penalty\.|event_registration|attendance)/;

test('two years of ten members match the story, day by day', async () => {
  const lines: string[] = [];
  const owners = new Map<number, string>();
  let since = await feedEnd(world);
  const tell = async () => {
    for (const item of await feedSince(world, since)) {
      since = item.id;
      if (TOLD.test(item.kind)) lines.push(told(item, owners, calendar.day));
    }
  };
  const live = async (day: string) => {
    while (calendar.day < day) {
      const { day: today } = calendar;
      await calendar.until(new Date(Date.parse(today) + 24 * HOUR).toISOString().slice(0, 10));
      await tell();
    }
  };
  for (const { day, who, does } of workedTable(STORY, 'What they do')) {
    await live(day);
    const [verb, ...words] = does.replaceAll(',', '').split(' ');
    await ACTS[verb](who, ...words);
    if (owned.has(who)) owners.set(owned.get(who)!, who);
    await calendar.work();
    await tell();
  }
  await live('2028-01-05');
  const expected = workedTable(STORY, 'What is recorded of it').map((row) => Object.values(row).join(' | '));
  assert.deepEqual(lines, expected);
});

const line = (account: string, who: string, balance: string) => `${account} | ${who} | ${balance}`;

test('at the end, the ledger agrees with everything that was posted to it, and matches the story', async () => {
  await calendar.work();
  assert.deepEqual(await differencesOf(world.app.db, await allProviders(world.app.db)), []);
  const rows = (query: Sql) => world.work(world.harbour, ({ tx }) => tx.rows<Record<string, any>>(query));
  assert.deepEqual(
    await rows(sql`SELECT checked_on, differences FROM ledger_check WHERE provider_id = ${world.harbour}`),
    [{ checked_on: '2028-01-05', differences: [] }],
  );
  const balances = await rows(sql`
    SELECT concat_ws(' ', account, detail) AS account, customer_id AS customer, sum(amount_minor)::bigint AS amount
    FROM ledger_line WHERE provider_id = ${world.harbour} GROUP BY account, detail, customer_id
      HAVING sum(amount_minor) <> 0`);
  const nameOf = new Map([...people].map(([name, id]) => [id, name]));
  assert.deepEqual(
    balances
      .map((row) =>
        line(row.account, nameOf.get(row.customer) ?? '', formatDecimal({ minor: row.amount, currency: 'CAD' })),
      )
      .toSorted(),
    workedTable(STORY, 'What the ledger has at the end')
      .map((row) => line(row.account, row.who, row.balance))
      .toSorted(),
  );
  // The unbilled amount is the sum of open entries.
  for (const [name, customer] of people) {
    const { results } = await done('GET', `/account_entries?customer=${customer}&status=open`);
    const open = results.reduce(
      (all: number, { kind, amount }: any) => all + (kind === 'charge' ? amount.decimal : -amount.decimal),
      0,
    );
    const { unbilled } = await done('GET', `/customers/${customer}/account_balance`);
    assert.equal(unbilled.decimal, open, name);
  }
});
