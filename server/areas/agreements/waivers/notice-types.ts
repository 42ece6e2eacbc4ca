/** The message that asks a customer to sign. They can't switch it off. */
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';

export const SIGNING_REQUESTED: NoticeType = {
  number: 120,
  type: 'signing_requested',
  description: 'Texts that have to be signed before you take part',
  email: true,
  sms: false,
  optional: false,
  translations: readTranslations('waivers/notices'),
  fields: [
    ...COMMON_FIELDS,
    { name: 'participant.name', description: 'Name of the person who takes part', sample: 'Ada King' },
    { name: 'waivers.titles', description: 'Names of the waivers', sample: 'Liability' },
    {
      name: 'waivers.url',
      description: 'The page on which they are signed, without a log-in',
      sample: 'https://example.com/account/1/sign/3rTq',
    },
    { name: 'waivers.until', description: 'The last day of the link', sample: 'Sunday, 12 July 2026' },
  ],
  subject: 'Please sign for {{ business.name }}: {{ waivers.titles }}',
  body: `Hi {{ customer.first_name }},

Before {{ participant.name }} takes part, we need a signature: {{ waivers.titles }}. It takes a minute, on a phone too, and needs no log-in:

{{ waivers.url }}

The link works until {{ waivers.until }}.

{{ business.name }}`,
  smsBody: '{{ business.name }}: please sign before {{ participant.name }} takes part: {{ waivers.url }}',
  button: 'Read and sign',
};
