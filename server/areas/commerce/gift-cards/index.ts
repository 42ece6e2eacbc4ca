import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { accountReasons } from '../../money/account-entries/index.ts';
import { returnedJob } from './bounced.ts';
import { changeGiftCards } from './change-gift-cards.ts';
import { deliverJob, deliveryReader, sweepDeliveries } from './deliver.ts';
import { expireCardsJob, sweepExpiry } from './expire.ts';
import { FEED } from './feed.ts';
import { findGiftCards } from './find-gift-cards.ts';
import { GIFT_CARD, giftCardsSold } from './redeem.ts';
import { GIFT_CARD_PROBLEMS } from './problems.ts';
import { giftCard } from './gift-card.ts';
import { giftCardsCheck } from './ledger-check.ts';
import { imageUses, usedIn } from '../../platform/images/index.ts';
import { ledgerChecks } from '../../money/ledger/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { redeemCode } from './redeem-code.ts';
import { settingsEndpoints } from './settings.ts';
import { soldWhole } from '../../money/invoices/index.ts';
import { sweepAttempts } from './attempts.ts';
import { TABLES } from './tables.ts';
import { UNDELIVERED } from './notice-types.ts';
import { UNDELIVERED_TO_STAFF } from './notify-undelivered.ts';
import type { Area } from '../../../kernel/api/area.ts';
import { one, say } from '../../../kernel/base/values/words.ts';

export { bringForward, cardsWithCodes, takeBackBrought, type Brought, type Held } from './bring-forward.ts';
export { cardCameBack, cardOfMail } from './bounced.ts';
export { giftCardsForSale } from './settings.ts';
export { GIFT_CARD_PROBLEMS } from './problems.ts';
export { checkSale, sellGiftCards } from './sell.ts';
export { codeElsewhere, LONGEST_CODE, SHORTEST_CODE, type CodeFault } from './rules/code.ts';

const takesBack = [
  GIFT_CARD_PROBLEMS.gift_card_redeemed,
  GIFT_CARD_PROBLEMS.gift_card_expired,
  GIFT_CARD_PROBLEMS.gift_card_in_part,
];

export { previewDelivery } from './delivery-mail.ts';

export const giftCards: Area = {
  name: 'gift_cards',
  description: 'Gift cards that customers buy for somebody else, and that become account credit.',
  tables: TABLES,
  translations: readTranslations('gift-cards/refusals'),
  resources: [giftCard],
  endpoints: [...settingsEndpoints, ...findGiftCards, redeemCode, ...changeGiftCards],
  problems: GIFT_CARD_PROBLEMS,
  refuses: {
    'POST /invoices/{id}/void': takesBack,
    'POST /invoices/{id}/credit': takesBack,
    'POST /payments/{id}/refund': takesBack,
  },
  feed: FEED,
  fills: [
    accountReasons.with(GIFT_CARD),
    soldWhole.with(giftCardsSold),
    ledgerChecks.with(giftCardsCheck),
    imageUses.with(
      usedIn('gift_card', 'gift_card', 'The picture that a buyer chose.'),
      usedIn('gift_card_image_choice', 'gift_card', 'The pictures that buyers can choose from.'),
    ),
  ],
  readers: [deliveryReader],
  notices: [UNDELIVERED],
  staffNotices: [UNDELIVERED_TO_STAFF],
  jobs: [deliverJob, returnedJob, expireCardsJob],
  sweep: async (tx, now) => {
    await sweepDeliveries(tx, now);
    await sweepExpiry(tx, now);
    await sweepAttempts(tx, now);
  },
  constraints: {
    gift_card_ends_once: () =>
      new Problem(
        GIFT_CARD_PROBLEMS.gift_card_redeemed,
        say`The ${one.gift_card} was redeemed, or has ended, in the meantime.`,
      ),
  },
};
