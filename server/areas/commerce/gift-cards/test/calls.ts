import { newCards, withCode } from './cards.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

/** Each call changes something. */
let last = 10;

export const CALLS: Calls = {
  'PATCH /gift_cards/config': async () => ({ body: { amount_choices: [`${(last += 1)}.00`] } }),
  'POST /gift_cards/redeem': async (world) => {
    const customer = await world.newCustomer();
    return { customer, body: { code: await withCode(world, (await newCards(world)).card), customer } };
  },
  'POST /gift_cards/{id}/redeem': async (world) => ({
    id: (await newCards(world)).card,
    body: { customer: await world.newCustomer() },
  }),
  'POST /gift_cards/{id}/deliver': async (world) => ({ id: (await newCards(world)).card, body: {} }),
  'PATCH /gift_cards/{id}': async (world) => {
    const { card, purchaser } = await newCards(world);
    return { id: card, customer: purchaser, body: { recipient_name: 'Grace' } };
  },
  'POST /gift_cards/{id}/print': async (world) => {
    const { card, purchaser } = await newCards(world);
    return { id: card, customer: purchaser, body: {} };
  },
};
