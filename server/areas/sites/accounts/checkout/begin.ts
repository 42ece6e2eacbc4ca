/** A checkout that somebody begins on one of our pages. */
import type { Ask } from '../../../../kernel/api/calls.ts';

type Items = readonly Readonly<Record<string, unknown>>[];

/** Puts items into a checkout of the payer, and returns its id. @throws Problem what stands against it */
export async function fillCheckout(ask: Ask, payer: number, items: Items): Promise<number> {
  const { id } = await ask('POST /checkouts', { query: { fields: 'id' }, body: { customer: payer } });
  for (const body of items)
    await ask('POST /checkouts/{id}/add_item', { params: { id }, query: { fields: 'id' }, body });
  return id;
}

/** The same, and returns the address of the page on which it is paid. @throws Problem what stands against it */
export async function beginCheckout(ask: Ask, payer: number, items: Items): Promise<string> {
  const id = await fillCheckout(ask, payer, items);
  return (await ask('POST /checkouts/{id}/page', { params: { id } })).next_url;
}
