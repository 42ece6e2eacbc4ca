/** A checkout that somebody begins on one of our pages. */
import type { Ask } from '../ask.ts';

type Items = readonly Readonly<Record<string, unknown>>[];

/** Puts items into a checkout of the payer, and returns its id. @throws Problem what stands against it */
export async function fillCheckout(ask: Ask, payer: number | null, items: Items): Promise<string> {
  const { id } = await ask('POST /checkouts', { query: { fields: 'id' }, body: { customer: payer } });
  for (const body of items)
    await ask('POST /checkouts/{id}/add_item', { params: { id }, query: { fields: 'id' }, body });
  return id;
}

/** The address of the page of a checkout. @throws Problem what stands against it */
export const pageOfCheckout = async (ask: Ask, id: string): Promise<string> =>
  addressIn(await ask('POST /checkouts/{id}/page', { params: { id } }));

/** Where the browser goes on to: what is not paid yet has a page. */
export function addressIn({ next_url: address }: { readonly next_url: string | null }): string {
  if (address === null) throw new Error('a checkout that just began has no page');
  return address;
}

/** The same as `fillCheckout`, and returns the address of the page on which it is paid. @throws Problem what stands against it */
export async function beginCheckout(ask: Ask, payer: number | null, items: Items): Promise<string> {
  const id = await fillCheckout(ask, payer, items);
  return pageOfCheckout(ask, id);
}
