/** The pairs of requests that are most dangerous at the same moment, each with the state that they meet in. */
import assert from 'node:assert/strict';
import { judge, sceneOf } from './history.ts';
import { CLAIM_MS, type Plan, type Stage } from './scene.ts';
import { expirePlaces } from '../../areas/scheduling/schedule/waitlist/waiting.ts';
import { newProduct } from '../../areas/commerce/store/test/seeds.ts';
import type { ApiAnswer } from '../world.ts';
import type { Classes, ClassStep } from './model/classes.ts';
import type { Recorded } from './model/linearize.ts';
import type { Shop, ShopStep } from './model/shop.ts';

/** Two actions, and the check of what came of them. */
export interface Meeting {
  readonly acts: readonly [() => Promise<unknown>, () => Promise<unknown>];
  readonly check: () => Promise<void> | void;
}

export interface Pair {
  readonly name: string;
  prepare(stage: Stage): Promise<Meeting>;
}

/** Two steps of a scene after others; their answers are judged by its model, together with `then`. */
function modelled<State, Step>(
  name: string,
  scene: string,
  start: State,
  before: readonly Step[],
  [one, other]: readonly [Step, Step],
  then: readonly Step[],
): Pair {
  const plan: Plan<State, Step> = { scene, start, callers: [before, [one], [other], then] };
  return {
    name,
    async prepare(stage) {
      const act = await sceneOf(plan).prepare(stage, start);
      const steps: Recorded<Step>[] = [];
      let position = 0;
      const record = async (step: Step, caller: number) => {
        const called = position++;
        const answer = await act(step, caller);
        if (answer !== null) steps.push({ step, answer, called, answered: position++ });
      };
      for (const step of before) await record(step, 0);
      return {
        acts: [() => record(one, 0), () => record(other, 1)],
        async check() {
          for (const step of then) await record(step, 0);
          const found = judge(plan, steps);
          assert.equal(found.is, 'right', 'why' in found ? found.why : found.is);
        },
      };
    },
  };
}

const [EVENT, OTHER] = [0, 1];
const step = (what: 'book' | 'cancel' | 'join' | 'leave', customer: number, event = EVENT): ClassStep => ({
  do: what,
  event,
  customer,
});
const move = (customer: number, event: number): ClassStep => ({ do: 'move', customer, event, to: 1 - event });

function classes(
  name: string,
  before: readonly ClassStep[],
  pair: readonly [ClassStep, ClassStep],
  { capacity = 1, ...over }: Partial<Classes> & { capacity?: number } = {},
): Pair {
  const events = [1, 1].map(() => ({ capacity, booked: [], reserved: [], waiting: [] }));
  const start: Classes = { policy: 'promote', events, uses: null, ...over };
  const then = [EVENT, OTHER].flatMap((event): ClassStep[] => [
    { do: 'list', event },
    { do: 'look', event },
  ]);
  const counts = start.uses ? start.uses.map((_, customer): ClassStep => ({ do: 'count uses', customer })) : [];
  return modelled(name, start.uses ? 'packs' : 'places', start, before, pair, [...then, ...counts]);
}

function shop(
  name: string,
  before: readonly ShopStep[],
  pair: readonly [ShopStep, ShopStep],
  over: Partial<Shop> = {},
): Pair {
  const start: Shop = { price: 1000, stock: 1, card: 2000, isRedeemed: false, codes: 1, credit: [0, 0], ...over };
  const then: ShopStep[] = [
    { do: 'count stock' },
    { do: 'count credit', customer: 0 },
    { do: 'count credit', customer: 1 },
  ];
  return modelled(name, 'shop', start, before, pair, then);
}

const sell = (over: object = {}): ShopStep => ({
  do: 'sell',
  customer: 0,
  quantity: 1,
  pays: 'credit',
  code: false,
  ...over,
});
const give = (amount: number): ShopStep => ({ do: 'give', customer: 0, amount });

/** Requests outside of the models: none may fail by accident, and `agree` says which answers go together. */
function requests(
  name: string,
  prepare: (stage: Stage) => Promise<readonly [readonly [string, string, object?], readonly [string, string, object?]]>,
  agree: (answers: readonly ApiAnswer[]) => boolean,
): Pair {
  return {
    name,
    async prepare(stage) {
      const pair = await prepare(stage);
      const answers: ApiAnswer[] = [];
      const send = (n: 0 | 1) => async () => void (answers[n] = await stage.ask(n, ...pair[n]));
      return {
        acts: [send(0), send(1)],
        check: () => assert.ok(agree(answers), answers.map(({ status, text }) => `${status} ${text}`).join('\n')),
      };
    },
  };
}

const done = ({ status }: ApiAnswer): boolean => status < 300;
const isRefused = ({ status }: ApiAnswer): boolean => status >= 400 && status < 500;
/** Neither fails by accident. */
const orderly = (answers: readonly ApiAnswer[]): boolean => answers.every((one) => done(one) || isRefused(one));

export const PAIRS: readonly Pair[] = [
  classes('two book the last place', [], [step('book', 0), step('book', 1)]),
  classes('one books while the place is cancelled', [step('book', 0)], [step('book', 1), step('cancel', 0)]),
  classes(
    'one cancels while another one joins the waitlist',
    [step('book', 0), step('join', 1)],
    [step('cancel', 0), step('join', 2)],
  ),
  classes(
    'the first of the waitlist leaves while a place becomes free',
    [step('book', 0), step('join', 1), step('join', 2)],
    [step('leave', 1), step('cancel', 0)],
    { policy: 'reserve' },
  ),
  classes(
    'one moves to the last place while another one books it',
    [step('book', 0)],
    [move(0, EVENT), step('book', 1, OTHER)],
  ),
  classes(
    'two move in opposite directions',
    [step('book', 0), step('book', 1, OTHER)],
    [move(0, EVENT), move(1, OTHER)],
    {
      capacity: 2,
    },
  ),
  classes('the last use of a pack pays for two events', [], [step('book', 0), step('book', 0, OTHER)], {
    uses: [1, 1, 1, 1],
  }),
  classes('a use is returned while it is needed', [step('book', 0)], [step('cancel', 0), step('book', 0, OTHER)], {
    uses: [1, 1, 1, 1],
  }),
  classes(
    'an event gets smaller while it is booked',
    [step('book', 0)],
    [{ do: 'resize', event: EVENT, capacity: 1 }, step('book', 1)],
    { capacity: 2 },
  ),
  shop('two sell the last item', [], [sell({ pays: 'both' }), sell({ customer: 1, pays: 'both' })]),
  shop('two spend the same credit', [give(1000)], [sell(), { do: 'move', customer: 0, to: 1, amount: 500 }], {
    stock: 5,
  }),
  shop(
    'credit moves in both directions',
    [give(1000), { do: 'give', customer: 1, amount: 1000 }],
    [
      { do: 'move', customer: 0, to: 1, amount: 500 },
      { do: 'move', customer: 1, to: 0, amount: 1000 },
    ],
  ),
  shop(
    'two use the last use of a code',
    [],
    [sell({ pays: 'both', code: true }), sell({ customer: 1, pays: 'both', code: true })],
    { stock: 5 },
  ),
  shop(
    'two redeem one gift card',
    [],
    [
      { do: 'redeem', customer: 0 },
      { do: 'redeem', customer: 1 },
    ],
  ),
  requests(
    'an event is cancelled while it is booked',
    async (stage) => {
      const [event, customer] = [await newEvent(stage), await stage.world.newCustomer()];
      return [
        ['POST', `/events/${event}/cancel`, {}],
        ['POST', `/events/${event}/register`, { customer }],
      ];
    },
    ([cancelled, booked]) => done(cancelled) && (done(booked) || isRefused(booked)),
  ),
  requests(
    'a cancelled event comes back while it is cancelled again',
    async (stage) => {
      const [event, customer] = [await newEvent(stage), await stage.world.newCustomer()];
      await stage.made('POST', `/events/${event}/register`, { customer });
      await stage.made('POST', `/events/${event}/cancel`, {});
      return [
        ['POST', `/events/${event}/reopen`, {}],
        ['POST', `/events/${event}/cancel`, {}],
      ];
    },
    orderly,
  ),
  requests(
    'a sale is refunded twice',
    async (stage) => {
      const sale = await newSale(stage);
      const refund = ['POST', `/counter/sales/${sale}/refund`, { reason: 'It was cold.' }] as const;
      return [refund, refund];
    },
    (answers) => answers.filter(done).length === 1 && answers.filter(isRefused).length === 1,
  ),
  requests(
    'customers are merged while one of them pays with credit',
    async (stage) => {
      const [kept, merged] = [await stage.world.newCustomer(), await stage.world.newCustomer()];
      for (const customer of [kept, merged])
        await stage.made('POST', '/account_entries', {
          customer,
          kind: 'credit',
          amount: '5.00',
          explanation: 'Thanks.',
        });
      return [
        ['POST', `/customers/${kept}/merge`, { from: merged }],
        ['POST', '/counter/sales', { customer: merged, items: [WATER], use_account_credit: true }],
      ];
    },
    orderly,
  ),
  requests(
    'customers are merged while both are booked',
    async (stage) => {
      const [kept, merged] = [await stage.world.newCustomer(), await stage.world.newCustomer()];
      const event = await newEvent(stage);
      await stage.made('POST', `/events/${event}/register`, { customer: kept });
      return [
        ['POST', `/customers/${kept}/merge`, { from: merged }],
        ['POST', `/events/${event}/register`, { customer: merged }],
      ];
    },
    orderly,
  ),
  requests(
    'a pack ends while it pays for a booking',
    async (stage) => {
      const [event, customer] = [await newEvent(stage, stage.m.place), await stage.world.newCustomer()];
      const { id } = await stage.m.give(customer, await stage.pack(2));
      return [
        ['POST', `/customer_memberships/${id}/cancel`, { cancellation_reason: 'mistake' }],
        ['POST', `/events/${event}/register`, { customer }],
      ];
    },
    ([ended, booked]) => done(ended) && (done(booked) || isRefused(booked)),
  ),
  requests(
    'credit is taken back while it pays',
    async (stage) => {
      const customer = await stage.world.newCustomer();
      const body = { customer, kind: 'credit', amount: '4.00', explanation: 'Thanks.' };
      const { id } = await stage.made('POST', '/account_entries', body);
      return [
        ['POST', `/account_entries/${id}/void`, { reason: 'A mistake.' }],
        ['POST', '/counter/sales', { customer, items: [WATER], use_account_credit: true }],
      ];
    },
    (answers) => answers.filter(done).length === 1 && answers.filter(isRefused).length === 1,
  ),
  {
    name: 'a reserved place expires while its customer books it',
    async prepare(stage) {
      await stage.setPolicy('reserve');
      const event = await newEvent(stage, stage.free, 1);
      const people = [
        await stage.world.newCustomer(),
        await stage.world.newCustomer(),
        await stage.world.newCustomer(),
      ];
      const [first, second, third] = people;
      await stage.made('POST', `/events/${event}/register`, { customer: first });
      for (const customer of [second, third]) await stage.made('POST', `/events/${event}/join_waitlist`, { customer });
      await stage.made('POST', `/events/${event}/unregister`, { customer: first });
      stage.world.setNow(stage.world.now + CLAIM_MS + 120_000);
      let answer: ApiAnswer | undefined;
      return {
        acts: [
          async () => void (answer = await stage.ask(0, 'POST', `/events/${event}/register`, { customer: second })),
          () => stage.background(1, (work) => expirePlaces(work, event)),
        ],
        check: () => assert.ok(done(answer!) || answer!.body.code === 'event_full', answer!.text),
      };
    },
  },
  requests(
    'a checkout is paid twice',
    async (stage) => {
      const pay = [
        'POST',
        `/checkouts/${await newCheckout(stage)}/pay`,
        { payment_processor: stage.terminal },
      ] as const;
      return [pay, pay];
    },
    (answers) => answers.some(done) && orderly(answers),
  ),
  requests(
    'a checkout is paid while it is cancelled',
    async (stage) => {
      const id = await newCheckout(stage);
      return [
        ['POST', `/checkouts/${id}/pay`, { payment_processor: stage.terminal }],
        ['DELETE', `/checkouts/${id}`],
      ];
    },
    (answers) => answers.filter(done).length === 1 && answers.filter(isRefused).length === 1,
  ),
];

const WATER = { description: 'Water', unit_price: '4.00', purchase_type: 'store' };

async function newEvent(stage: Stage, place = stage.free, max_occupancy = 2): Promise<number> {
  const at = stage.world.now + 7 * 86_400_000;
  const body = { name: 'Rowing', venue: place.venue, offering_type: place.offering, max_occupancy };
  const [starts_at, ends_at] = [at, at + 3_600_000].map((moment) => new Date(moment).toISOString());
  return (await stage.made('POST', '/events', { ...body, starts_at, ends_at })).id;
}

async function newSale(stage: Stage): Promise<number> {
  const payments = [{ payment_processor: stage.terminal }];
  const customer = await stage.world.newCustomer();
  return (await stage.made('POST', '/counter/sales', { customer, items: [WATER], payments })).id;
}

async function newCheckout(stage: Stage): Promise<string> {
  const { variant } = await newProduct(stage.world, { stock: 1 });
  const { id } = await stage.made('POST', '/checkouts', { customer: await stage.world.newCustomer() });
  await stage.made('POST', `/checkouts/${id}/add_item`, { store_product_variant: variant });
  return id;
}
