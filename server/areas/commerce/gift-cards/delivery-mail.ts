/** The text of the email that delivers a gift card: when it is sent, and as a preview for the buyer. */
import { ENGLISH, type Language } from '../../../kernel/base/languages/languages.ts';
import { lastDay } from './rules/state.ts';
import { nameOf, redeemUrl, type AtBusiness } from './new-code.ts';
import { readBusinessName } from '../../people/identity/index.ts';
import { renderTemplate } from '../../../kernel/base/values/template.ts';
import { settingsOf } from './settings.ts';
import { spokenAmount, spokenDateIn } from '../../../kernel/base/languages/spoken.ts';
import { templateIn, type TemplateValues } from './delivery-notice.ts';
import type { GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Where = Pick<Work, 'tx' | 'tenant'> & AtBusiness;
type Written = Pick<GiftCardRow, 'recipient_name' | 'purchaser_id' | 'amount_minor' | 'message'>;

interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  /** label of the button with the link */
  readonly button: string;
  readonly language: Language;
}

const MESSAGE = /\{\{\s*gift_card\.message\b/;

/** Returns the email in the language of the business. `last`: YYYY-MM-DD; null if the card never expires */
export async function writtenDelivery(
  work: Where,
  { recipient_name, purchaser_id, amount_minor, message }: Written,
  { code, last, business }: { readonly code: string; readonly last: string | null; readonly business: string },
): Promise<WrittenMail> {
  const { subject, body, button, language } = templateIn(work.tenant, (await settingsOf(work)).template);
  const { reader = ENGLISH, currency } = work.tenant;
  const values: TemplateValues = {
    'recipient.name': recipient_name,
    'purchaser.name': await nameOf(work, purchaser_id),
    'gift_card.message': message,
    'gift_card.amount': spokenAmount(reader, { minor: amount_minor, currency }),
    'gift_card.code': code,
    'gift_card.last_day': last && spokenDateIn(reader, last),
    'gift_card.redeem_url': redeemUrl(work),
    'business.name': business,
  };
  // A text of the business from before there were messages has no place for one.
  const whole = message === null || MESSAGE.test(body) ? body : `{{gift_card.message}}\n\n${body}`;
  return {
    subject: renderTemplate(subject, values, { as: 'subject' }),
    text: renderTemplate(whole, values, { as: 'text' }).replaceAll(/\n{3,}/g, '\n\n'),
    button,
    language,
  };
}

/** Stands in a preview for the code, which doesn't exist before the card is paid. */
const NO_CODE = '••••-••••-••••-••••';

/**
 * Returns the email as the recipient of a card that isn't bought yet will get it.
 * @param card.on YYYY-MM-DD: the day on which it is sent
 */
export async function previewDelivery(
  work: Where,
  { on, ...card }: Written & { readonly on: string },
): Promise<Pick<WrittenMail, 'subject' | 'text'>> {
  const { expires, expiresAfterDays } = await settingsOf(work);
  const business = await readBusinessName(work.tx, work.providerId);
  return writtenDelivery(work, card, { code: NO_CODE, last: lastDay(on, expires ? expiresAfterDays : null), business });
}
