/** Items that staff sell without a product: a text and an amount. */
import { minorDigits, parseDecimal } from '../../../../kernel/base/values/money.ts';
import { PURCHASE_TYPES, type PurchaseType } from '../../../pricing/fees/index.ts';
import type { ItemKind } from './kind.ts';

/** The purchase types of quick items. A gift card is owed to its recipient, so it can't be sold as a text alone. */
export const QUICK_TYPES = PURCHASE_TYPES.filter((type) => type !== 'gift_card');

export const QUICK_ITEM: ItemKind = {
  type: 'QUICK_ITEM',
  description:
    'Anything else: a text with a price, at the desk. Its purchase type decides which fees and taxes are added, and `venue` where. Discount codes take nothing off.',
  needs: [],
  says: {
    properties: ['description', 'unit_price', 'purchase_type', 'venue'],
    optional: ['venue'],
    read: ({ tenant: { currency } }, { description, unit_price, purchase_type, venue }, issues) => {
      for (const [name, sent] of Object.entries({ description, unit_price, purchase_type }))
        if ((sent ?? null) === null) issues.add(name, 'This field is required.');
      const amount = typeof unit_price === 'string' ? parseDecimal(unit_price, currency) : null;
      if (typeof unit_price === 'string' && amount === null)
        issues.add('unit_price', `Must be an amount in ${currency} with ${minorDigits(currency)} decimals.`);
      return {
        quick_name: description as string,
        quick_amount_minor: amount,
        quick_purchase_type: purchase_type as PurchaseType,
        quick_venue_id: (venue as number | null | undefined) ?? null,
      };
    },
  },
  byStaffAlone: true,
  forWalkIns: true,
  several: true,
  rank: 3,
  line: () => 'flat_fee',
  check: async () => {},
  facts: async (_work, items) =>
    new Map(
      items.map((item) => [
        item.id,
        {
          description: item.quick_name!,
          unitPrice: item.quick_amount_minor!,
          recurringPrice: null,
          taxed: { type: item.quick_purchase_type!, venue: item.quick_venue_id },
          discounted: null,
          credit: 0,
        },
      ]),
    ),
  fulfil: async (_work, { item }) => ({ object: 'checkout_item', id: item.id, name: item.description }),
};
