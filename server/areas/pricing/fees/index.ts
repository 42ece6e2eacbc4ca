import { calculator } from './calculator.ts';
import { changeFees } from './change-fees.ts';
import { purchaseFeeFeed } from './feed.ts';
import { findFees } from './find-fees.ts';
import { purchaseFee } from './purchase-fee.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { readFees } from './facts.ts';
export {
  chargedNow,
  toCharged,
  partsOf,
  plain,
  priceOfCharged,
  type Charged,
  type ChargedFee,
  type ChargedPart,
} from './rules/charged.ts';
export { explainLines, type Explained } from './rules/explain.ts';
export { remainingParts, partsTotal, shareOf, type PriceParts } from './rules/share.ts';
export { priceLines, type LineToPrice, type Totals } from './rules/lines.ts';
export { priceOf, PURCHASE_TYPES, type Fee, type Price, type PurchaseType } from './rules/price.ts';

export const fees: Area = {
  name: 'fees',
  description: 'Fees and taxes, and what they add to a price.',
  tables: TABLES,
  resources: [purchaseFee],
  endpoints: [...findFees, ...changeFees, ...calculator],
  feed: [purchaseFeeFeed],
};
