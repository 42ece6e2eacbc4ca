/** Gift cards as a checkout sells them, for tests. */
import { billed, payWith } from '../../../money/invoices/test/invoicing.ts';
import { hashOf } from '../../../people/identity/index.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { makeCode } from '../code.ts';
import { sellGiftCards, type SoldCard } from '../sell.ts';
import type { World } from '../../../../test/world.ts';

export interface Bought {
  /** id of the first one */
  readonly card: number;
  readonly purchaser: number;
  readonly invoice: number;
  readonly line: number;
}

/** Creates sold and billed cards, paid unless `paid` is false. */
export async function newCards(
  world: World,
  { paid = true, ...over }: Partial<SoldCard> & { paid?: boolean } = {},
  providerId = world.harbour,
): Promise<Bought> {
  const purchaser = over.purchaser ?? (await world.newCustomer({}, providerId));
  const sold: SoldCard = {
    recipient: null,
    email: 'ada@example.com',
    name: 'Ada',
    amount: 5000,
    deliverOn: null,
    quantity: 1,
    ...over,
    purchaser,
  };
  const card = await world.work(providerId, (work) => sellGiftCards(work, sold));
  const line = {
    type: 'gift_card',
    description: 'Gift card for Ada',
    list: sold.amount * sold.quantity,
    fees: [],
    quantity: sold.quantity,
    billed: { object: 'gift_card', id: card, name: 'Gift card' },
  } as const;
  const { id: invoice, lines } = await billed(world, purchaser, [line], {}, providerId);
  if (paid) await payWith(world, purchaser, invoice, line.list, providerId);
  return { card, purchaser, invoice, line: lines[0].id };
}

/** Gives the card a code, like the email does. */
export async function withCode(world: World, card: number, providerId = world.harbour): Promise<string> {
  const code = makeCode();
  const now = instant(world.now);
  await world.work(providerId, ({ tx }) =>
    tx.run(sql`UPDATE gift_card SET code_hash = ${hashOf(code)}, delivered_at = coalesce(delivered_at, ${now}),
      last_sent_at = ${now}
      WHERE provider_id = ${providerId} AND id = ${card}`),
  );
  return code;
}
