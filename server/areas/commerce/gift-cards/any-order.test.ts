/** Any sequence of operations on gift cards and account credit matches a plain list of gifts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import { applyCredit } from '../../money/invoices/index.ts';
import { bill } from '../../money/invoices/test/invoicing.ts';
import { checkLedger } from '../../money/ledger/index.ts';
import { deliverJob } from './deliver.ts';
import { expireCards } from './expire.ts';
import { expireCredit, giveCredit } from '../../money/account-entries/index.ts';
import { fc, runs } from '../../../test/properties.ts';
import { newCards } from './test/cards.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

const CREDIT_DAYS = 30;
const CARD_DAYS = 40;
/** Members of a family: few, so that each goes through many operations. */
const MEMBERS = 2;

let world: World;
let today = '2026-06-10';
before(async () => {
  world = await startWorld();
  go(0);
  const set = async (path: string, body: object) => {
    const { status, text } = await world.patch(path, { as: world.machine, body });
    assert.equal(status, 200, text);
  };
  await set('/account_credit_settings', { expires_after_days: CREDIT_DAYS, notice_days: null });
  await set('/gift_cards/config', { do_gift_cards_expire: true, redemption_expiration_days: CARD_DAYS });
});
after(() => world.close());

/** Advances by days; the time is noon. */
function go(days: number): void {
  today = addDays(today, days);
  world.setNow(Date.parse(`${today}T16:00:00Z`));
}

const member = fc.nat(MEMBERS - 1);
const amount = fc.integer({ min: 1, max: 3000 });
const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('give' as const), who: member, amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('use' as const), who: member, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), who: member, to: member, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sell' as const), amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('redeem' as const), who: member, card: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take back' as const), card: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 5, max: 20 }) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** A gift and its time, the oldest first. */
interface Gift {
  readonly day: string;
  left: number;
}
interface Card {
  readonly id: number;
  readonly line: number;
  readonly invoice: number;
  readonly amount: number;
  readonly lastDay: string;
  open: boolean;
}

class Model {
  readonly gifts: Gift[][] = Array.from({ length: MEMBERS }, () => []);
  readonly cards: Card[] = [];

  credit(who: number): number {
    return this.gifts[who].reduce((all, { left }) => all + left, 0);
  }

  give(who: number, left: number): void {
    this.gifts[who].push({ day: today, left });
  }

  take(who: number, wanted: number): boolean {
    if (wanted > this.credit(who)) return false;
    let rest = wanted;
    for (const gift of this.gifts[who]) {
      const part = Math.min(gift.left, rest);
      gift.left -= part;
      rest -= part;
    }
    return true;
  }

  endOfDays(): void {
    for (const gift of this.gifts.flat()) if (addDays(gift.day, CREDIT_DAYS) < today) gift.left = 0;
    for (const card of this.cards) if (card.lastDay < today) card.open = false;
  }
}

const as = () => world.machine;
const worth = (minor: number): string => (minor / 100).toFixed(2);

/** The operations, each of which returns whether it was done. */
const DO: {
  [K in Step['do']]: (step: Extract<Step, { do: K }>, people: readonly number[], model: Model) => Promise<void>;
} = {
  async give({ who, amount: minor }, people, model) {
    await world.work(world.harbour, (work) =>
      giveCredit(work, { customer: people[who], amount: minor, explanation: 'A gift.' }),
    );
    model.give(who, minor);
  },
  async use({ who, amount: minor }, people, model) {
    const used = world
      .work(world.harbour, async (work) => {
        const { id } = await bill(work, people[who], [{ list: minor, fees: [] }]);
        await applyCredit(work, { invoice: id, amount: minor, from: 'credit' });
      })
      .then(
        () => true,
        (error) => {
          assert.match(String(error), /customer_balance_credit|account credit/);
          return false;
        },
      );
    assert.equal(await used, model.take(who, minor), 'used');
  },
  async move({ who, to, amount: minor }, people, model) {
    const { status } = await world.post(`/customers/${people[who]}/move_credit`, {
      as: as(),
      body: { to: people[to], amount: worth(minor) },
    });
    const done = who !== to && model.take(who, minor);
    if (done) model.give(to, minor);
    assert.equal(status === 200, done, `moved: ${status}`);
  },
  async sell({ amount: minor }, _people, model) {
    const { card: id, invoice, line } = await newCards(world, { amount: minor });
    await world.work(world.harbour, (work) => deliverJob.run(work, { gift_card: id }));
    model.cards.push({ id, invoice, line, amount: minor, lastDay: addDays(today, CARD_DAYS), open: true });
  },
  async redeem({ who, card: nth }, people, model) {
    const card = model.cards[nth];
    if (!card) return;
    const { status } = await world.post(`/gift_cards/${card.id}/redeem`, { as: as(), body: { customer: people[who] } });
    assert.equal(status === 200, card.open, `redeemed: ${status}`);
    if (card.open) model.give(who, card.amount);
    card.open = false;
  },
  async 'take back'({ card: nth }, _people, model) {
    const card = model.cards[nth];
    if (!card) return;
    const { status } = await world.post(`/invoices/${card.invoice}/credit`, {
      as: as(),
      body: { line_items: [{ line_item: card.line }], reason: 'A mistake.' },
    });
    assert.equal(status === 201, card.open, `taken back: ${status}`);
    card.open = false;
  },
  async wait({ days }, _people, model) {
    go(days);
    await world.work(world.harbour, (work) => expireCredit(work));
    await world.work(world.harbour, expireCards);
    model.endOfDays();
  },
};

/** Returns the credit of customers from the ledger. */
const creditsOf = async (people: readonly number[]): Promise<number[]> => {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ id: number; credit: number }>(
      sql`SELECT customer_id AS id, -amount_minor AS credit FROM customer_balance
        WHERE provider_id = ${world.harbour} AND account = 'credit' AND customer_id = ANY(${people}::bigint[])`,
    ),
  );
  return people.map((id) => rows.find((one) => one.id === id)?.credit ?? 0);
};

/** The older gift is used first, so the newer one is left when the older one would expire. */
const OLDEST_FIRST: Step[] = [
  { do: 'give', who: 0, amount: 1000 },
  { do: 'wait', days: 20 },
  { do: 'give', who: 0, amount: 1000 },
  { do: 'use', who: 0, amount: 1000 },
  { do: 'wait', days: 20 },
  { do: 'wait', days: 20 },
];
/** Expired credit counts as used, and doesn't expire again at the cost of newer credit. */
const NOT_TWICE: Step[] = [
  { do: 'give', who: 0, amount: 500 },
  { do: 'wait', days: 20 },
  { do: 'give', who: 0, amount: 700 },
  { do: 'wait', days: 15 },
  { do: 'wait', days: 10 },
  { do: 'move', who: 0, to: 1, amount: 700 },
  { do: 'wait', days: 20 },
];

test('any order of giving, using, moving, redeeming, crediting and expiring gives the same result, and never goes below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 24 }), async (steps) => {
      const family = await row(world, 'family', {});
      const people: number[] = [];
      for (let n = 0; n < MEMBERS; n++)
        people.push(await world.newCustomer({ family_id: family, family_role: n === 0 ? 'manager' : 'child' }));
      const model = new Model();
      for (const step of steps) {
        await DO[step.do](step as never, people, model);
        assert.deepEqual(
          await creditsOf(people),
          people.map((_, who) => model.credit(who)),
          JSON.stringify(step),
        );
      }
      assert.deepEqual(await world.work(world.harbour, checkLedger), []);
    }),
    { ...runs(20), examples: [[OLDEST_FIRST], [NOT_TWICE]] },
  );
});
