/** Checkouts that people start on our pages. */
import type { Ask } from '../frame/index.ts';

/** Code with which booking refuses until a payment is made. */
export const TO_PAY = 'payment_required';

type Items = readonly Readonly<Record<string, unknown>>[];

/** Puts items into a checkout of the payer, and returns its id. @throws Problem the refusal */
export async function fillCheckout(ask: Ask, payer: number | null, items: Items): Promise<string> {
  const { id } = await ask('POST /checkouts', { query: { fields: 'id' }, body: { customer: payer } });
  for (const body of items)
    await ask('POST /checkouts/{id}/add_item', { params: { id }, query: { fields: 'id' }, body });
  return id;
}

/** Returns the address of a checkout's page. @throws Problem the refusal */
export const pageOfCheckout = async (ask: Ask, id: string): Promise<string> =>
  addressIn(await ask('POST /checkouts/{id}/page', { params: { id } }));

/** Returns the address to which the browser continues: an unpaid checkout has a page. */
export function addressIn({ next_url: address }: { readonly next_url: string | null }): string {
  if (address === null) throw new Error('a checkout that just began has no page');
  return address;
}

/** Puts items into a checkout, and returns the address of the page where it is paid. @throws Problem the refusal */
export async function beginCheckout(ask: Ask, payer: number | null, items: Items): Promise<string> {
  const id = await fillCheckout(ask, payer, items);
  return pageOfCheckout(ask, id);
}
