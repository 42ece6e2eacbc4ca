/** The notice about a booking that was started and not paid. */
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';
import { one, say, type Text } from '../../../kernel/base/values/words.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';

const field = (name: string, description: string, sample: Text) => ({ name, description, sample });

export const UNFINISHED: NoticeType = {
  number: 98,
  type: 'checkout_unfinished',
  description: say`A ${one.booking} was started and is not paid yet`,
  email: true,
  sms: false,
  optional: true,
  translations: readTranslations('checkouts/notices'),
  fields: [
    ...COMMON_FIELDS,
    field('checkout.first', 'The first of the events, with its day and time', 'Rowing, Tuesday, 6 October 2026, 19:00'),
    field('checkout.spots', 'All events, each on a line', 'Rowing, Tuesday, 6 October 2026, 19:00'),
    field('checkout.until', 'Until when the spots are kept', '18:45'),
    field('checkout.url', 'Address of the page where it is paid', 'https://example.com/account/1/checkout?ticket=7'),
  ],
  subject: say`Finish your ${one.booking}: {{ checkout.first }}`,
  body: say`Hi {{ customer.first_name }},

Your ${one.spot} is kept until {{ checkout.until }}:

{{ checkout.spots }}

Finish and pay:
{{ checkout.url }}

After that, someone else can have it. You haven’t been charged.

{{ business.name }}`,
  button: 'Finish and pay',
  smsBody: say`{{ business.name }}: your ${one.spot} is kept until {{ checkout.until }}: {{ checkout.first }}. {{ checkout.url }}`,
};
