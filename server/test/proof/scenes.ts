/** The scenes of histories in one moment: how each begins, which steps it has, and how a step becomes a request. */
import { CLASSES, type Classes, type ClassStep } from './model/classes.ts';
import { SHOP, type Shop, type ShopStep } from './model/shop.ts';
import { CLAIM_MS, cents, decimal, inWords, type Scene } from './scene.ts';
import { expirePlaces } from '../../areas/scheduling/schedule/waitlist/waiting.ts';
import { iso, newCustomers, row } from '../schedule-world.ts';
import { newCards } from '../../areas/commerce/gift-cards/test/cards.ts';
import { newCode } from '../../areas/commerce/discount-codes/test/seeds.ts';
import { newProduct } from '../../areas/commerce/store/test/seeds.ts';

const CUSTOMERS = 4;
const WEEK_MS = 7 * 86_400_000;
const MINUTE_MS = 60_000;

const REFUSED: Readonly<Record<string, string>> = {
  event_full: 'full',
  membership_required: 'unpaid',
  allotment_used_up: 'unpaid',
  not_registered: 'not booked',
  not_on_waitlist: 'does not wait',
  waitlist_not_needed: 'not needed',
  already_registered: 'already booked',
  capacity_below_bookings: 'too small',
};

function classScene(
  name: string,
  withPacks: boolean,
  more: Partial<Scene<Classes, ClassStep>> = {},
): Scene<Classes, ClassStep> {
  return {
    name,
    model: CLASSES,
    start: (dice) => ({
      policy: dice.of(['promote', 'promote', 'reserve']),
      events: [0, 1].map(() => ({ capacity: 1 + dice.below(2), booked: [], reserved: [], waiting: [] })),
      uses: withPacks ? Array.from({ length: CUSTOMERS }, () => 1 + dice.below(2)) : null,
    }),
    step(dice) {
      const [event, customer] = [dice.below(3) === 0 ? 1 : 0, dice.below(CUSTOMERS)];
      const roll = dice.below(100);
      if (roll < 35) return { do: 'book', event, customer };
      if (roll < 55) return { do: 'cancel', event, customer };
      if (roll < 70) return { do: 'join', event, customer };
      if (roll < 76) return { do: 'leave', event, customer };
      if (roll < 84) return { do: 'move', event, to: 1 - event, customer };
      if (roll < 91) return { do: 'resize', event, capacity: 1 + dice.below(3) };
      if (roll < 96 || !withPacks) return { do: dice.of(['look', 'list']), event };
      return { do: 'count uses', customer };
    },
    async prepare(stage, { policy, events, uses }) {
      const { world } = stage;
      await stage.setPolicy(policy);
      const people = await newCustomers(world, CUSTOMERS);
      const place = withPacks ? stage.m.place : stage.free;
      const starts = world.now + WEEK_MS;
      const ids: number[] = [];
      for (const [n, { capacity }] of events.entries()) {
        const at = starts + n * 86_400_000;
        const body = { name: 'Rowing', venue: place.venue, offering_type: place.offering, max_occupancy: capacity };
        ids.push(
          (await stage.made('POST', '/events', { ...body, starts_at: iso(at), ends_at: iso(at + 3_600_000) })).id,
        );
      }
      const packs: number[] = [];
      for (const [n, left] of (uses ?? []).entries())
        packs.push((await stage.m.give(people[n], await stage.pack(left))).id);
      const attendances = new Map<string, number>();
      const note = (event: number, customer: number, id: unknown) => {
        if (typeof id === 'number') attendances.set(`${event} ${customer}`, id);
      };
      const PATHS = { book: 'register', cancel: 'unregister', join: 'join_waitlist', leave: 'leave_waitlist' } as const;
      const DONE = { book: 'booked', cancel: 'cancelled', join: 'waits', leave: 'left' } as const;
      return async (step, caller) => {
        const ask = (method: string, path: string, body?: object) => stage.ask(caller, method, path, body);
        switch (step.do) {
          case 'pass': {
            world.setNow(world.now + CLAIM_MS + MINUTE_MS);
            const expire = (server: number) =>
              Promise.all(ids.map((event) => stage.background(server, (work) => expirePlaces(work, event))));
            await Promise.all([expire(0), expire(1)]);
            return 'passed';
          }
          case 'count uses': {
            const { body } = await ask('GET', `/customer_memberships/${packs[step.customer]}/usage`);
            return `${body.usage_periods[0].remaining_count} left`;
          }
          case 'look': {
            const fields = 'attending_count,waiting_count,max_occupancy';
            const { body } = await ask('GET', `/events/${ids[step.event]}?fields=${fields}`);
            return `${body.attending_count} booked, ${body.waiting_count} waiting, ${body.max_occupancy} places`;
          }
          case 'list': {
            const { body } = await ask('GET', `/events/${ids[step.event]}?fields=small_session_attendances.customer`);
            const there: number[] = body.small_session_attendances.map((one: any) => people.indexOf(one.customer));
            return there.toSorted((a, b) => a - b).join(' ') || 'nobody';
          }
          case 'resize':
            return inWords(
              await ask('PATCH', `/events/${ids[step.event]}`, { max_occupancy: step.capacity }),
              'resized',
              REFUSED,
            );
          case 'move': {
            const id = attendances.get(`${step.event} ${step.customer}`);
            if (id === undefined) return null;
            const answer = await ask('POST', `/attendances/${id}/move`, { event: ids[step.to] });
            note(step.to, step.customer, answer.body.id);
            return inWords(answer, 'moved', REFUSED);
          }
          default: {
            const body = { customer: people[step.customer] };
            const answer = await ask('POST', `/events/${ids[step.event]}/${PATHS[step.do]}`, body);
            note(step.event, step.customer, answer.body.attendance);
            return inWords(answer, DONE[step.do], REFUSED);
          }
        }
      };
    },
    ...more,
  };
}

const SHOP_REFUSED: Readonly<Record<string, string>> = {
  out_of_stock: 'out of stock',
  quantity: 'out of stock',
  gift_card_redeemed: 'already redeemed',
  discount_code_used_up: 'code used up',
  payments: 'not paid',
  'payments.0': 'nothing left to pay',
};

const SHOP_SCENE: Scene<Shop, ShopStep> = {
  name: 'shop',
  model: SHOP,
  start: (dice) => ({
    price: 1000,
    stock: 1 + dice.below(4),
    card: 2000,
    isRedeemed: false,
    codes: 1 + dice.below(2),
    credit: [0, 0],
  }),
  step(dice) {
    const [customer, roll] = [dice.below(2), dice.below(100)];
    if (roll < 40) {
      const [quantity, code] = [1 + dice.below(2), dice.below(3) === 0];
      return { do: 'sell', customer, quantity, code, pays: dice.of(['credit', 'both']) };
    }
    if (roll < 50) return { do: 'restock', more: dice.of([-2, -1, 1, 2]) };
    if (roll < 65) return { do: 'redeem', customer };
    if (roll < 72) return { do: 'give', customer, amount: 500 + 500 * dice.below(2) };
    if (roll < 84) return { do: 'move', customer, to: 1 - customer, amount: 500 + 500 * dice.below(3) };
    if (roll < 90) return { do: 'count stock' };
    return { do: 'count credit', customer };
  },
  async prepare(stage, { price, stock, card: value, codes, credit }) {
    const { world } = stage;
    const family = await row(world, 'family', {});
    const people = await Promise.all(
      credit.map(() => world.newCustomer({ family_id: family, family_role: 'manager' })),
    );
    const { variant } = await newProduct(world, { stock, price: decimal(price) });
    const { card } = await newCards(world, { amount: value });
    const name = `C${card}`;
    await newCode(world, {
      code: name,
      discount_percent: '50',
      allowed_uses: codes,
      usable_purchase_types: ['store'],
    });
    return async (step, caller) => {
      const ask = (method: string, path: string, body?: object) => stage.ask(caller, method, path, body);
      switch (step.do) {
        case 'sell': {
          const answer = await ask('POST', '/counter/sales', {
            customer: people[step.customer],
            items: [{ store_product_variant: variant, quantity: step.quantity }],
            use_account_credit: true,
            payments: step.pays === 'both' ? [{ payment_processor: stage.terminal }] : [],
            ...(step.code && { discount_code: name }),
          });
          const { total_amount: total, credit_amount: used } = answer.body;
          return inWords(answer, `sold for ${cents(total)}, ${cents(used)} from credit`, SHOP_REFUSED);
        }
        case 'restock': {
          const body = { store_product_variant: variant, quantity: step.more, reason: 'correction' };
          return inWords(await ask('POST', '/store/inventory_adjustments', body), 'restocked', SHOP_REFUSED);
        }
        case 'redeem': {
          const answer = await ask('POST', `/gift_cards/${card}/redeem`, { customer: people[step.customer] });
          return inWords(answer, 'redeemed', SHOP_REFUSED);
        }
        case 'give': {
          const body = { customer: people[step.customer], kind: 'credit', explanation: 'Thanks.' };
          return inWords(
            await ask('POST', '/account_entries', { ...body, amount: decimal(step.amount) }),
            'given',
            SHOP_REFUSED,
          );
        }
        case 'move': {
          const body = { to: people[step.to], amount: decimal(step.amount) };
          const answer = await ask('POST', `/customers/${people[step.customer]}/move_credit`, body);
          return inWords(answer, 'moved', { conflict: 'not enough' });
        }
        case 'count stock': {
          const { body } = await ask('GET', `/store/product_variants/${variant}?fields=stock`);
          return `${body.stock} in stock`;
        }
        case 'count credit': {
          const { body } = await ask('GET', `/customers/${people[step.customer]}/account_balance`);
          return `${cents(body.credit)} of credit`;
        }
      }
    };
  },
};

export const SCENES: readonly Scene[] = [classScene('places', false), classScene('packs', true), SHOP_SCENE];

/** Places that are reserved for those who wait, while the time to claim them passes. */
export const CLAIMS = classScene('claims', false, {
  start: (dice) => ({
    policy: 'reserve',
    events: [0, 1].map(() => ({ capacity: 1 + dice.below(2), booked: [], reserved: [], waiting: [] })),
    uses: null,
  }),
  between: () => ({ do: 'pass' }),
});
