/** The text of the email that delivers a gift card, unless the business has its own. */
import { ENGLISH, type Language } from '../../../kernel/base/languages/languages.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { TemplateField } from '../../../kernel/base/values/template.ts';
import { a, one, say, textIn, type Text } from '../../../kernel/base/values/words.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';

const field = (name: string, description: string, sample: string): TemplateField => ({ name, description, sample });

export const TEMPLATE_FIELDS = [
  field('recipient.name', 'Name of the person who gets the gift card', 'Ada'),
  field('purchaser.name', 'Name of the customer who bought it', 'Byron King'),
  field('gift_card.message', 'What the buyer writes to the recipient; empty if there is nothing', 'Happy birthday!'),
  field('gift_card.amount', 'What it is worth', '$50.00'),
  field('gift_card.code', 'The code that redeems it', 'K7TD-2MQX-9HVB-4RWZ'),
  field(
    'gift_card.last_day',
    'The last day on which it can be redeemed; empty if it never expires',
    'Monday, 12 July 2027',
  ),
  field(
    'gift_card.redeem_url',
    'Address of the page on which it is redeemed',
    'https://example.com/account/1/gift-card',
  ),
  field('business.name', 'Name of the business', 'Harbour Lane'),
] as const satisfies readonly TemplateField[];

export type TemplateValues = Readonly<Record<(typeof TEMPLATE_FIELDS)[number]['name'], string | null>>;

/** Label of the button with the link. */
const REDEEM = say`Redeem the ${one.gift_card}`;

export const OURS = {
  subject: say`{{purchaser.name|Someone}} sent you ${a.gift_card} for {{business.name}}`,
  body: say`Hi {{recipient.name}},

{{purchaser.name|someone}} has given you ${a.gift_card} for {{business.name}}. It is worth {{gift_card.amount}}.

{{gift_card.message}}

Your code:
{{gift_card.code}}

Redeem it here, and spend it on whatever you like:
{{gift_card.redeem_url}}

Valid until: {{gift_card.last_day|no expiry date}}

{{business.name}}`,
} as const;

/** The texts in the other languages: `subject`, `body` and `button`. */
const DELIVERY_TEXTS = readTranslations('gift-cards/delivery');

/** The email that delivers a card: ours, or the business's own. */
export interface Template {
  readonly subject: Text;
  readonly body: Text;
}

interface Texts {
  readonly subject: string;
  readonly body: string;
  /** label of the button with the link */
  readonly button: string;
  readonly language: Language;
}

/** Returns our template in the language of the business: nothing is known about the person who gets the card. */
export function templateIn({ words, reader = ENGLISH }: Pick<Tenant, 'words' | 'reader'>, template: Template): Texts {
  const said = DELIVERY_TEXTS[reader.language];
  const { subject, body } = template;
  return {
    subject: template === OURS && said ? said.subject : textIn(words, subject),
    body: template === OURS && said ? said.body : textIn(words, body),
    button: said?.button ?? textIn(words, REDEEM),
    language: reader.language,
  };
}
