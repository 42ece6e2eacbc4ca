/** The body of a partner's message, as the interface declares it and as partners send it. */
import { id, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { MESSAGE_TYPES } from './partner.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';

export const platformPerson = {
  id: text({ max: 100 }).describe('The platform’s id of the person.'),
  first_name: text({ max: 256 }),
  last_name: text({ max: 256 }).nullable().optional(),
  email: text({ max: 254, pattern: /^[^\s@]+@[^\s@]+$/, hint: 'Must be an email address.' })
    .nullable()
    .optional(),
};

export type PlatformPerson = ValueOf<typeof platformPerson>;

export const messageBody = {
  type: oneOf(MESSAGE_TYPES),
  code: text({ max: 255 }).optional().describe('For an entry: the code that was scanned.'),
  event: id().optional().describe('For a booking: the event to book.'),
  person: object(platformPerson).optional().describe('For a booking: who is booked.'),
  attendance: id().optional().describe('To cancel a booking or mark it as attended: what the booking returned.'),
};

export type PartnerMessage = ValueOf<typeof messageBody>;
