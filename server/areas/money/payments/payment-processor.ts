/** Payment processors of a business: their visibility and their settings. */
import { boolean, id, instant, integer, listOf, map, oneOf, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { choice, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { PROCESSORS } from './processors.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { TYPES, type ProcessorName } from './processor.ts';

/** Path for messages of processors, followed by the ids of the business and the processor. */
export const MESSAGES_PATH = '/payment_messages';

const KINDS = PROCESSORS.map(({ name }) => name);
const IMMEDIATE = PROCESSORS.filter(({ immediate }) => immediate).map(({ name }) => `'${name}'`);

const SAVING = PROCESSORS.filter((one) => !one.immediate && one.savesMethods).map(({ name }) => `'${name}'`);

const meaning = PROCESSORS.map((one) => `\`${one.name}\`: ${one.description}`).join(' ');

const FOR_ADMINS = { provider: ['super_admin'], customer: false } as const;

export const paymentProcessor = resource('payment_processor', {
  description: 'A way for customers to pay the business.',
  fields: {
    id: id(),
    type: integer()
      .computed(
        (t) => [raw(`${t}.kind`)],
        ([kind]) => TYPES[kind as ProcessorName],
      )
      .describe(`Number of the kind. ${PROCESSORS.map(({ name, type }) => `${type}: \`${name}\``).join(', ')}.`),
    kind: oneOf(KINDS).describe(meaning),
    name: text({ max: 100 }).describe('Name that customers see.'),
    is_enabled: boolean()
      .from((t) => raw(`(${t}.disabled_at IS NULL)`))
      .describe('Nothing new is paid with one that is turned off. Payments and refunds that have begun go on.'),
    is_recorded_by_staff: boolean()
      .from((t) => raw(`(${t}.kind IN (${IMMEDIATE.join(', ')}))`))
      .describe('Staff record that the money is there. Customers can’t choose it themselves.'),
    is_cash_drawer: boolean()
      .from((t) => raw(`coalesce(${t}.settings->>'cash_drawer' = 'yes', false)`))
      .describe('It is cash in a drawer.'),
    saves_payment_methods: boolean()
      .from((t) => raw(`(${t}.kind IN (${SAVING.join(', ')}))`))
      .describe('Customers can have the payment method saved with which they pay.'),
    settings: map().describe('Settings by name, without those that are secret.'),
    secrets: listOf(text())
      .from((t) => raw(`to_jsonb(${t}.secrets)`))
      .describe('Names of the secret settings that are set. They are never shown.'),
    message_url: uri()
      .nullable()
      .computed(
        (t) => [
          raw(`CASE WHEN ${t}.kind NOT IN (${IMMEDIATE.join(', ')}) THEN ${t}.provider_id || '/' || ${t}.id END`),
        ],
        ([path], wire) => path && `${wire.pagesUrl}${MESSAGES_PATH}/${path}`,
      )
      .describe('URL to which the payment processor sends its webhooks. Null if it sends none.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: true, customer: (t) => raw(`${t}.disabled_at IS NULL`), unregistered: false },
  shown: { settings: FOR_ADMINS, secrets: FOR_ADMINS, message_url: FOR_ADMINS },
  secret: ['sealed'],
});

const who: Who = { provider: true, customer: true, unregistered: false };

export const findProcessors = [
  ...listAndGet(paymentProcessor, {
    path: '/payment_processors',
    summary: 'List payment processors',
    get: 'Get a payment processor',
    description: 'Customers see those that are turned on.',
    who,
    filters: {
      is_enabled: choice(boolean(), {
        true: (t) => raw(`${t}.disabled_at IS NULL`),
        false: (t) => raw(`${t}.disabled_at IS NOT NULL`),
      }),
    },
  }),
];
