import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { applyTemplate } from './apply.ts';
import { LANGUAGE_NAMES, PRICES, TEMPLATES, templateOf, textsIn, usualPrices } from './template.ts';
import { listOf, moneyText, object, oneOf, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');

const language = () =>
  oneOf(LANGUAGE_NAMES)
    .optional()
    .describe('The language of what is created. If left out, the language of the business.');

const languageOf = ({ tenant }: Work, asked: Language | undefined): Language =>
  asked ?? tenant.reader?.language ?? 'en';

const ABOUT = {
  visit: 'Price of a single visit.',
  pack: 'Price of ten visits.',
  month: 'Price of a month.',
  trial: 'Price of the trial offer.',
} as const;

const prices = () =>
  object(
    Object.fromEntries(PRICES.map((name) => [name, moneyText().describe(ABOUT[name])])) as Readonly<
      Record<(typeof PRICES)[number], Field<string>>
    >,
  );

const names = () => listOf(text());

export const templateEndpoints = [
  read({
    path: '/business_templates',
    summary: 'List templates for a new business',
    description: 'Objects that each template creates, in the language of the business, with usual prices.',
    who,
    query: { language: language() },
    returns: answer({
      usual_prices: prices().nullable().describe('Null if none are known in the currency of the business.'),
      results: listOf(
        object({
          template: oneOf(TEMPLATES),
          name: text(),
          description: text(),
          offering_types: names(),
          memberships: names(),
          crm_workflows: names(),
        }),
      ),
    }),
    run: async ({ work, query }) => {
      const texts = textsIn(languageOf(work, query.language));
      return {
        usual_prices: usualPrices(work.tenant.currency),
        results: TEMPLATES.map((template) => ({
          template,
          name: texts[template],
          description: texts[`${template}.about`],
          offering_types: templateOf(template).offerings.map((one) => texts[one.text]),
          memberships: [texts.trial, texts.pack, texts.month],
          crm_workflows: [texts.welcome, texts.away],
        })),
      };
    },
  }),
  action({
    path: '/business_templates/apply',
    summary: 'Start a business from a template',
    description:
      'Creates offering types with rules for booking and cancelling, a trial offer, a pack, a monthly membership, and emails as workflows that are switched off, all in one transaction. Everything can be edited afterwards. What the business already has by the same name is left as it is and named in `existing`, so a second call doubles nothing.',
    who,
    body: { template: oneOf(TEMPLATES), language: language(), prices: prices() },
    returns: answer({
      offering_types: refs('offering_type'),
      memberships: refs('membership'),
      crm_workflows: refs('crm_workflow'),
      existing: names().describe('Names that the business already had.'),
    }),
    run: ({ work, body }) => {
      for (const name of PRICES) minorOf(`prices.${name}`, body.prices[name], work.tenant.currency);
      return applyTemplate(work, { ...body, language: languageOf(work, body.language) });
    },
  }),
];
