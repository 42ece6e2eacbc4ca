/** The gift cards that a business sells. */
import { giftCardsForSale } from '../../../commerce/gift-cards/index.ts';
import type { Cards } from './views.ts';
import type { At } from '../site.ts';
import type { Desk } from '../../frame/index.ts';

/** Returns the amounts that gift cards can have; null: none are sold to customers. */
export async function cardsOf(desk: Desk, { site }: At): Promise<Cards | null> {
  const offer = await desk.door.db.looking(site.id, (tx) => giftCardsForSale({ tx, providerId: site.id }));
  const money = (minor: number) => ({ minor, currency: site.tenant.currency });
  return (
    offer && {
      amounts: offer.amounts.map(money),
      range: offer.range && { smallest: money(offer.range.smallest), largest: money(offer.range.largest) },
    }
  );
}
