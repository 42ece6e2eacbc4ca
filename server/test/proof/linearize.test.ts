/** The judge of histories: it accepts whatever one moment for each step explains, and refuses planted mistakes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLASSES, type Classes, type ClassStep } from './model/classes.ts';
import { fc, runs } from '../properties.ts';
import { judge, record, shrink, planOf, sceneOf } from './history.ts';
import { linearize, type Recorded } from './model/linearize.ts';
import { PLANS, type Plans, type PlanStep } from './model/plans.ts';
import { SHOP, type Shop, type ShopStep } from './model/shop.ts';
import { chance } from '../storm.ts';
import type { Plan } from './scene.ts';

const classes = (over: Partial<Classes> = {}): Classes => ({
  policy: 'promote',
  events: [1, 1].map((capacity) => ({ capacity, booked: [], reserved: [], waiting: [] })),
  uses: null,
  ...over,
});
const shop = (over: Partial<Shop> = {}): Shop => ({
  price: 1000,
  stock: 1,
  card: 2000,
  isRedeemed: false,
  codes: 1,
  credit: [0, 0],
  ...over,
});

/** Steps one after the other. */
const inOrder = <S>(...steps: readonly [S, string | null][]): Recorded<S>[] =>
  steps.map(([step, answer], n) => ({ step, answer, called: 2 * n, answered: 2 * n + 1 }));

/** Steps that were all called before the first answer. */
const atOnce = <S>(...steps: readonly [S, string | null][]): Recorded<S>[] =>
  steps.map(([step, answer], n) => ({ step, answer, called: n, answered: 100 + n }));

const book = (customer: number): ClassStep => ({ do: 'book', event: 0, customer });
const cancel = (customer: number): ClassStep => ({ do: 'cancel', event: 0, customer });
const join = (customer: number): ClassStep => ({ do: 'join', event: 0, customer });
const list: ClassStep = { do: 'list', event: 0 };
const sell = (over: object = {}): ShopStep => ({
  do: 'sell',
  customer: 0,
  quantity: 1,
  pays: 'credit',
  code: false,
  ...over,
});
const redeem = (customer: number): ShopStep => ({ do: 'redeem', customer });
const SOLD = 'sold for 1000, 1000 from credit';

const ofClasses = (steps: Recorded<ClassStep>[], start = classes()) => linearize(CLASSES, start, steps).found;
const ofShop = (steps: Recorded<ShopStep>[], start = shop()) => linearize(SHOP, start, steps).found;

test('a place that is sold twice has no explanation, not even at the same moment', () => {
  assert.equal(ofClasses(atOnce([book(0), 'booked'], [book(1), 'full'])), 'order');
  assert.equal(ofClasses(atOnce([book(0), 'booked'], [book(1), 'booked'])), 'none');
  assert.equal(ofClasses(inOrder([book(0), 'full'])), 'none', 'a refusal needs a reason too');
});

test('a booking that was acknowledged and is lost has no explanation', () => {
  assert.equal(ofClasses(inOrder([book(0), 'booked'], [list, 'nobody'])), 'none');
  assert.equal(ofClasses(atOnce([book(0), 'booked'], [list, 'nobody'])), 'order', 'it was read before');
});

test('a place that is given out of turn has no explanation', () => {
  const before = [
    [book(0), 'booked'],
    [join(1), 'waits'],
    [join(2), 'waits'],
    [cancel(0), 'cancelled'],
  ] as const;
  const then = (answer: string) =>
    inOrder<ClassStep>(...before.map(([s, a]): [ClassStep, string] => [s, a]), [list, answer]);
  assert.equal(ofClasses(then('1')), 'order');
  assert.equal(ofClasses(then('2')), 'none');
  assert.equal(ofClasses(then('nobody')), 'none');
});

test('a use that is lost, or taken twice, has no explanation', () => {
  const start = classes({ uses: [2, 2, 2, 2] });
  const left = (answer: string) => inOrder<ClassStep>([book(0), 'booked'], [{ do: 'count uses', customer: 0 }, answer]);
  assert.equal(ofClasses(left('1 left'), start), 'order');
  for (const wrong of ['2 left', '0 left']) assert.equal(ofClasses(left(wrong), start), 'none');
  const back = inOrder<ClassStep>(
    [book(0), 'booked'],
    [cancel(0), 'cancelled'],
    [{ do: 'count uses', customer: 0 }, '1 left'],
  );
  assert.equal(ofClasses(back, start), 'none', 'it was not returned');
});

test('a payment that is taken twice, and credit that is spent twice, have no explanation', () => {
  const start = shop({ stock: 5, credit: [3000, 0] });
  const left = (answer: string) => inOrder<ShopStep>([sell(), SOLD], [{ do: 'count credit', customer: 0 }, answer]);
  assert.equal(ofShop(left('2000 of credit'), start), 'order');
  assert.equal(ofShop(left('1000 of credit'), start), 'none');
  assert.equal(ofShop(atOnce([sell(), SOLD], [sell(), SOLD]), shop({ stock: 5, credit: [1000, 0] })), 'none');
});

test('the last item sold twice, a code used twice and a gift card redeemed twice have no explanation', () => {
  const both = sell({ pays: 'both' });
  const whole = 'sold for 1000, 0 from credit';
  assert.equal(ofShop(atOnce([both, whole], [both, 'out of stock'])), 'order');
  assert.equal(ofShop(atOnce([both, whole], [both, whole])), 'none');
  const half = sell({ pays: 'both', code: true });
  const reduced = 'sold for 500, 0 from credit';
  assert.equal(ofShop(atOnce([half, reduced], [half, reduced]), shop({ stock: 5 })), 'none');
  assert.equal(ofShop(atOnce([redeem(0), 'redeemed'], [redeem(1), 'redeemed'])), 'none');
});

test('a claim that outlives its time, and a place that goes on out of turn after it, have no explanation', () => {
  const start = classes({ policy: 'reserve' });
  const before = [
    [book(0), 'booked'],
    [join(1), 'waits'],
    [join(2), 'waits'],
    [cancel(0), 'cancelled'],
  ] as const;
  const then = (passes: number, ...steps: [ClassStep, string][]) =>
    ofClasses(
      inOrder<ClassStep>(
        ...before.map(([s, a]): [ClassStep, string] => [s, a]),
        ...Array.from({ length: passes }, (): [ClassStep, string] => [{ do: 'pass' }, 'passed']),
        ...steps,
      ),
      start,
    );
  assert.equal(then(0, [book(1), 'booked']), 'order');
  assert.equal(then(0, [book(2), 'full'], [book(1), 'booked']), 'order');
  assert.equal(then(1, [book(1), 'full'], [book(2), 'booked']), 'order');
  assert.equal(then(1, [book(1), 'booked']), 'none');
  assert.equal(then(2, [book(2), 'full']), 'none', 'nobody waits any more');
});

const putOnHold = (after: number, days: number | null): PlanStep => ({ do: 'hold', member: 0, label: 7, after, days });
const bills = (days: string, back = 0, charged = 0) => `billed on ${days}, ${back} back, ${charged} charged`;

test('a period that is billed twice or not, and a hold that gives back too much, have no explanation', () => {
  const began = Date.parse('2026-06-10') / 86_400_000;
  const member = { holds: [], lastDay: null, billed: [began] };
  const start: Plans = { price: 3000, began, today: began, members: [member] };
  const explained = (answer: string, ...steps: [PlanStep, string][]) =>
    linearize(PLANS, start, inOrder<PlanStep>(...steps, [{ do: 'pass', days: 71 }, answer])).found;
  assert.equal(explained(bills('0 30 61')), 'order');
  for (const days of ['0 30', '0 30 30 61', '0 30 61 91']) assert.equal(explained(bills(days)), 'none', days);
  // The days of docs/algorithms/proration.md: from 25 June to 19 August.
  const held: [PlanStep, string] = [putOnHold(15, 56), 'held'];
  assert.equal(explained(bills('0', 1500, 2032), held), 'order');
  for (const [back, charged] of [
    [1501, 2032],
    [1500, 2031],
    [3000, 4064],
    [0, 0],
  ])
    assert.equal(explained(bills('0', back, charged), held), 'none');
  assert.equal(explained(bills('0 61', 1500, 0), held), 'none', 'a period on hold isn’t billed');
  const removed: [PlanStep, string] = [{ do: 'end', member: 0 }, '7 ended'];
  assert.equal(explained(bills('0 30 61'), held, removed), 'order', 'a hold that never began gives nothing back');
  const over: [PlanStep, string] = [{ do: 'cancel', member: 0 }, 'until 29'];
  assert.equal(explained(bills('0'), over), 'order');
  assert.equal(explained(bills('0 30'), over), 'none');
  const then = (answer: string) =>
    linearize(
      PLANS,
      start,
      inOrder<PlanStep>(
        over,
        [putOnHold(20, null), 'held'],
        [{ do: 'pass', days: 40 }, bills('0', 1000)],
        [{ do: 'look', member: 0 }, answer],
      ),
    ).found;
  assert.equal(then('20 to 29'), 'order', 'a hold without an end ends with its membership');
  assert.equal(then('20 to '), 'none');
});

test('a step without an answer was done or not, whichever explains the rest', () => {
  for (const answer of ['nobody', '0']) assert.equal(ofClasses(inOrder([book(0), null], [list, answer])), 'order');
  const twice = inOrder<ClassStep>([book(0), null], [list, '0'], [list, 'nobody']);
  assert.equal(ofClasses(twice), 'none', 'but not both');
});

test('a search that is too long is undecided, never an acceptance', () => {
  const steps = atOnce<ShopStep>(
    ...Array.from({ length: 8 }, (): [ShopStep, string] => [sell({ pays: 'both' }), 'no']),
  );
  assert.equal(linearize(SHOP, shop(), steps, 5).found, 'undecided');
});

/** Answers steps like the model: each takes effect at one moment between its call and its answer. */
function perfect(plan: Plan, random: (n: number) => number): Recorded<any>[] {
  const model = sceneOf(plan).model!;
  let [state, position] = [plan.start, 0];
  const waiting = plan.callers.map((steps) => [...steps]);
  const under: { step: any; called: number; answer: string | null; caller: number }[] = [];
  const all: Recorded<any>[] = [];
  while (under.length > 0 || waiting.some((steps) => steps.length > 0)) {
    const free = waiting.flatMap((steps, caller) =>
      steps.length > 0 && under.every((one) => one.caller !== caller) ? [caller] : [],
    );
    const pick = random(free.length + under.length);
    if (pick < free.length) {
      under.push({ step: waiting[free[pick]].shift(), called: position++, answer: null, caller: free[pick] });
      continue;
    }
    const one = under[pick - free.length];
    if (one.answer === null) {
      const outcomes = model.after(state, one.step);
      ({ answer: one.answer, state } = outcomes[random(outcomes.length)]);
      continue;
    }
    under.splice(under.indexOf(one), 1);
    all.push({ step: one.step, answer: one.answer, called: one.called, answered: position++ });
  }
  return all.toSorted((a, b) => a.called - b.called);
}

test('histories whose steps each took effect at one moment are accepted, and one false answer is nearly always found', () => {
  let refusals = 0;
  let all = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const [plan, dice] = [planOf(seed), chance(seed)];
      const steps = perfect(plan, dice.below);
      assert.equal(judge(plan, steps).is, 'right');
      const [n, other] = [dice.below(steps.length), dice.below(steps.length)];
      if (steps[n].answer === steps[other].answer) return;
      all++;
      if (judge(plan, steps.with(n, { ...steps[n], answer: steps[other].answer })).is === 'wrong') refusals++;
    }),
    runs(200),
  );
  assert.ok(refusals > all * 0.9, `${refusals} of ${all} were found`);
});

/** A service that looks whether a place is free, waits, and then books it. */
async function careless(plan: Plan): Promise<string | null> {
  const booked = new Set<number>();
  const steps = await record<ClassStep>(plan.callers, async (step) => {
    if (step.do !== 'book') return null;
    const isFull = booked.size >= 1 && !booked.has(step.customer);
    await Promise.resolve();
    if (isFull) return 'full';
    booked.add(step.customer);
    return 'booked';
  });
  const found = judge(plan, steps);
  return found.is === 'wrong' ? found.why : null;
}

test('a history that fails shrinks to the two steps that matter', async () => {
  const callers = [[join(3), book(0)], [book(1), list], [cancel(1)], [book(2), book(2)]];
  const plan = { scene: 'places', start: classes(), callers };
  assert.ok(await careless(plan));
  const { plan: shortest, why } = await shrink(plan, careless);
  assert.deepEqual(
    shortest.callers.map((steps) => steps.map((step) => step.do)),
    [['book'], ['book']],
  );
  assert.match(why!, /No order explains the answers[\s\S]*“full” instead of “booked”/);
});
