/** Checkouts that start with one item and continue on a page: a membership, or a place at an event. */
import { action, answer, type Call } from '../../../kernel/api/endpoint.ts';
import {
  addItem,
  checkout,
  checkoutOf,
  checkReturnTo,
  CHECKOUT_PROBLEMS,
  giveTicket,
  openCheckout,
  openOne,
  SLOT_REFUSALS,
  takeTime,
  whoChecksOut,
  type NewItem,
} from '../../commerce/checkouts/index.ts';
import {
  BOOKING_PROBLEMS,
  event as eventResource,
  lockEvent,
  PLACES,
  type Place,
} from '../../scheduling/schedule/index.ts';
import { boolean, instant, oneOf, ref, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkoutPath } from './path.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { TO_PAY } from './begin.ts';
import { membership } from '../../memberships/memberships/index.ts';
import { MEMBERSHIP_PROBLEMS, quoteSale } from '../../memberships/customer-memberships/index.ts';
import type { Ask } from '../frame/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = { provider: ['super_admin', 'customers', 'pos'], customer: true, unregistered: false } as const;

const AFTERWARDS =
  'If a customer requests it, only someone who is logged in as that customer, or who manages the child’s family, can pay. If staff request it, anyone who has the address can. Afterwards, the browser returns to `return_to` with `purchase` set to `completed`, `cancelled` or `expired`, and with the id of what the customer got.';

const body = {
  return_to: text({ max: 2000 }).describe(
    'An https address on a site of the business (its `domains`, or the `domain` of one of its applications), or one of the addresses that the application is registered with.',
  ),
  customer: ref('customer'),
};

const returns = answer({
  next_url: uri()
    .nullable()
    .describe(
      'Null if the same request is repeated with its Idempotency-Key, because the address is returned only once.',
    ),
  expires_at: instant().describe('When the checkout expires unless it is changed or paid.'),
});

const problems = [
  'conflict',
  CHECKOUT_PROBLEMS.checkout_not_open,
  ...BOOKING_PROBLEMS,
  ...Object.values(MEMBERSHIP_PROBLEMS),
] as const;

type Asked = Pick<Call, 'work' | 'pagesUrl' | 'grant'> & { body: { return_to: string; customer: number } };
type Add = (item: NewItem) => Promise<number>;

/** Opens a checkout, adds items to it, and returns the address of its page. */
async function begin(
  { work, pagesUrl, grant, body: { return_to, customer } }: Asked,
  fill: (add: Add) => Promise<void>,
) {
  // A request without a credential comes from one of our pages, and its return address is one of them.
  if (grant !== null) await checkReturnTo(work, return_to);
  await checkActsFor(work, customer);
  const { mode, customerId } = work.viewer;
  const payer = mode === 'customer' && customerId !== null ? customerId : customer;
  const id = await openCheckout(work, { customer: payer, return_to });
  const ticket = await giveTicket(work, id);
  const row = async () => (await checkoutOf(work, ticket))!;
  await fill(async (item) => addItem(work, await row(), item));
  return addressOf(work, pagesUrl, ticket, (await row()).expires_at);
}

function addressOf(work: Work, pagesUrl: string, ticket: string, expires: number) {
  work.reveal({ next_url: `${pagesUrl}${checkoutPath({ id: work.providerId }, ticket)}` });
  return { next_url: null, expires_at: formatInstant(expires, work.tenant.zone) };
}

const placeField = oneOf(PLACES).optional().describe('For an event that has places online too: as in a booking.');

const ITEM = { pack: 'MEM_PK', prepaid_plan: 'MEM_PP', recurring_plan: 'MEM_RECUR' } as const;

const ofMembership = action({
  path: '/memberships/{id}/initiate_purchase',
  summary: 'Create a page where a customer buys a membership',
  description: `Creates a checkout with the membership, and returns the address of a page where the customer sees the purchase, agrees to the terms and pays. ${AFTERWARDS}`,
  who,
  target: membership,
  unlocked: true,
  body: {
    ...body,
    payment_plan: ref('membership_payment_plan')
      .nullable()
      .optional()
      .describe('For recurring plans. Can be left out if only one plan is for sale.'),
    event: ref('event').nullable().optional().describe('The event to book with the membership.'),
    place: placeField,
    appointment_slot: text({ max: 256 })
      .nullable()
      .optional()
      .describe('The appointment to book with the membership: the id of a free time, from `GET /slots`.'),
  },
  returns,
  problems: [...problems, ...SLOT_REFUSALS],
  run: async (call) => {
    const { work, target } = call;
    const { customer, payment_plan, event, appointment_slot, place } = call.body;
    const slot = appointment_slot ?? null;
    if (slot !== null && event) throw invalid('appointment_slot', 'Send this or event, not both.');
    // The lock order has events before customers, and before the rooms and instructors of appointments.
    if (event) await lockEvent(work, event);
    const taken = slot === null ? null : await takeTime(work, slot, 'appointment_slot');
    const { product, plan } = await quoteSale(work, { customer, membership: target.id, plan: payment_plan ?? null });
    return begin(call, async (add) => {
      const item = await add({
        item_type: ITEM[product.type],
        customer_id: customer,
        membership_id: target.id,
        payment_plan_id: plan?.id ?? null,
      });
      if (event)
        await add({
          item_type: 'CLASS_MEM',
          customer_id: customer,
          event_id: event,
          place: place ?? null,
          customer_membership_item_id: item,
        });
      if (taken !== null)
        await add({
          item_type: 'APPT_MEM',
          customer_id: customer,
          event_id: taken,
          slot,
          customer_membership_item_id: item,
        });
    });
  },
});

const ofEvent = action({
  path: '/events/{id}/initiate_purchase',
  summary: 'Create a page where a customer books and pays an event',
  description: `Creates a checkout with a place at the event, holds the place, and returns the address of a page where the customer sees the purchase and pays. ${AFTERWARDS}`,
  who,
  target: eventResource,
  unlocked: true,
  body: {
    ...body,
    customer_membership: ref('customermembership')
      .nullable()
      .optional()
      .describe('The membership that pays. If it is left out, the first one that can.'),
    place: placeField,
    select_drop_in: boolean().default(false).describe('Pays the drop-in price, even if a membership could pay.'),
  },
  returns,
  problems,
  run: async (call) => {
    const { target, ask } = call;
    const { customer, place, customer_membership: named, select_drop_in: dropIn } = call.body;
    if (named && dropIn) throw invalid('select_drop_in', 'Send either this or customer_membership, not both.');
    const pays = named ?? (dropIn ? null : await membershipFor(ask, target.id, { customer, place }));
    return begin(call, async (add) => {
      const of = { customer_id: customer, event_id: target.id, place: place ?? null };
      await add(
        pays === null
          ? { item_type: 'CLASS_DRP', ...of }
          : { item_type: 'CLASS_MEM', ...of, customer_membership_id: pays },
      );
    });
  },
});

/** Returns the membership that would pay for a booking of the event; null: none. */
async function membershipFor(
  ask: Ask,
  event: number,
  { customer, place }: { readonly customer: number; readonly place?: Place },
): Promise<number | null> {
  const { rules } = await ask('GET /events/{id}/explain', {
    params: { id: event },
    query: { customer, ...(place && { place }) },
  });
  // The facts of a rule may name a membership that doesn't pay: the closest of those that can't.
  if (rules.some(({ code, passed }) => code === TO_PAY && !passed)) return null;
  for (const { facts } of rules) if (typeof facts.customer_membership === 'number') return facts.customer_membership;
  return null;
}

const OF_SCHEDULE = {
  appointment: ['APPT_DRP', 'APPT_MEM'],
  room_rental: ['ROOM_RTL_DRP', 'ROOM_RTL_MEM'],
} as const;

const ofSlot = action({
  path: '/slots/{id}/initiate_purchase',
  summary: 'Create a page where a customer books and pays a free time',
  description: `Creates a checkout with the appointment or the room rental, holds the time, and returns the address of a page where the customer sees the purchase and pays. If the checkout is not paid, the time is free again. ${AFTERWARDS}`,
  who,
  textId: true,
  atVenue: true,
  body: {
    ...body,
    customer_membership: ref('customermembership')
      .nullable()
      .optional()
      .describe('The membership that pays. If it is left out, the first one that can.'),
    select_drop_in: boolean().default(false).describe('Pays the drop-in price, even if a membership could pay.'),
  },
  returns,
  problems: [...problems, ...SLOT_REFUSALS],
  run: async (call) => {
    const { work, ask, params } = call;
    const { customer, customer_membership: named, select_drop_in: dropIn } = call.body;
    if (named && dropIn) throw invalid('select_drop_in', 'Send either this or customer_membership, not both.');
    await checkActsFor(work, customer);
    const offered = await ask('GET /slots/{id}', { params: { id: params.id }, query: { customer } });
    const pays: number | null = named ?? (dropIn ? null : offered.customer_membership);
    const [drops, covered] = OF_SCHEDULE[await scheduleOf(work, offered.offering_type)];
    return begin(call, async (add) => {
      await add({
        item_type: pays === null ? drops : covered,
        customer_id: customer,
        slot: params.id,
        customer_membership_id: pays,
      });
    });
  },
});

const scheduleOf = async ({ tx, providerId }: Work, offering: number): Promise<keyof typeof OF_SCHEDULE> =>
  (await tx.one<{ schedule_type: keyof typeof OF_SCHEDULE }>(
    sql`SELECT schedule_type FROM offering_type WHERE provider_id = ${providerId} AND id = ${offering}`,
  ))!.schedule_type;

const ofCheckout = action({
  path: '/checkouts/{id}/page',
  summary: 'Create a page where a customer pays a checkout',
  description: `Returns the address of a page where the customer sees the checkout as it is, agrees to terms and pays. An earlier address of the same checkout stops working. ${AFTERWARDS}`,
  who: whoChecksOut,
  target: checkout,
  returns,
  silent: 'nothing about the checkout changes but the secret of its address',
  problems: [CHECKOUT_PROBLEMS.checkout_expired, CHECKOUT_PROBLEMS.checkout_not_open],
  run: async ({ work, target, pagesUrl }) => {
    const { id, expires_at: expires } = await openOne(work, target);
    return addressOf(work, pagesUrl, await giveTicket(work, id), expires);
  },
});

export const initiatePurchase = [ofMembership, ofEvent, ofSlot, ofCheckout];
