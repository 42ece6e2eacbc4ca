/** Messages about infractions and penalties: a business can have any number of them, each for its own systems. */
import { answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

/** Customers cannot turn it off, because it states what they owe. */
export const MEMBERSHIP_PENALTY: NoticeType = {
  number: 60,
  type: 'membership_penalty',
  description: 'Someone cancelled late or did not show up, and what it costs',
  email: true,
  sms: false,
  optional: false,
  freeform: true,
  fields: [
    ...COMMON_FIELDS,
    field(
      'participant.first_name',
      "First name of the person who was booked: the reader, or the reader's child",
      'Byron',
    ),
    field('participant.name', 'Full name of the person who was booked', 'Byron King'),
    field('membership.name', 'Name of the membership that paid', 'Club'),
    field('event.name', 'Name of the event', 'Rowing'),
    field('event.date', 'The day on which the event starts', 'Friday, 2 October 2026'),
    field('infraction.type', '"late cancellation" or "absence"', 'late cancellation'),
    field('infractions.count', 'How many infractions count together, including this one', '3'),
    field('infractions.free', 'How many are free', '2'),
    field('infractions.left', 'How many are still free', '0'),
    field('infractions.days', 'The number of days within which infractions count together', '30'),
    field('penalty.amount', 'What one infraction too many costs', '$10.00'),
    field('penalty.due_date', 'When it is charged; empty if there is no penalty', 'Saturday, 3 October 2026'),
  ],
  subject: '',
  body: '',
  smsBody: '',
};

export const showNotificationType = read({
  path: '/communication/notification_types/membership_penalty',
  summary: 'Get the merge fields of penalty messages',
  who: staffWith('super_admin'),
  returns: answer({
    template_variables: listOf(object({ name: text(), description: text(), sample_value: text({ blank: true }) })),
    multiple_messages_allowed: boolean().describe('True means that each has its own `messages`.'),
  }),
  run: async () => ({
    template_variables: MEMBERSHIP_PENALTY.fields.map(({ name, description, sample }) => ({
      name,
      description,
      sample_value: sample,
    })),
    multiple_messages_allowed: true,
  }),
});
