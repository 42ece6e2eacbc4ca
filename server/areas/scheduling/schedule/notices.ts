/**
 * Notices to customers about their bookings, with the fields of their templates. The area of notices decides when they
 * are sent.
 */
import { COMMON_FIELDS, type NoticeType } from '../../../kernel/work/unit/notices.ts';
import { A, a, one, say, type Text } from '../../../kernel/base/values/words.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { TemplateField } from '../../../kernel/base/values/template.ts';

const field = (name: string, description: string, sample: Text): TemplateField => ({ name, description, sample });

const LINKED = 'https://example.com/account/1/booked/7-3_kf93ld82ns04mx72jq61bv85';

const EVENT_FIELDS: readonly TemplateField[] = [
  field(
    'participant.first_name',
    "First name of the person who takes part: the reader, or the reader's child",
    'Byron',
  ),
  field(
    'participant.has',
    'Begins a sentence: "You have" to the person who takes part, "Byron has" to a parent',
    'Byron has',
  ),
  field(
    'participant.is',
    'Begins a sentence: "You are" to the person who takes part, "Byron is" to a parent',
    'Byron is',
  ),
  field(
    'participant.you',
    'Within a sentence: "you" to the person who takes part, the first name to a parent',
    'Byron',
  ),
  field(
    'participant.your',
    'Within a sentence: "your" to the person who takes part, "Byron\'s" to a parent',
    "Byron's",
  ),
  field(
    'participant.whose',
    'Begins a sentence: "Your" to the person who takes part, "Byron\'s" to a parent',
    "Byron's",
  ),
  field('participant.name', 'Full name of the person who takes part', 'Byron King'),
  field('event.name', 'Name of the event', 'Rowing'),
  field('event.word', 'What the business calls it: a class, an appointment, a rental or a session', one.class),
  field('event.date', 'The day on which the event starts, in the time zone of its venue', 'Friday, 2 October 2026'),
  field(
    'event.time',
    'When the event starts and ends, in the time zone of its venue, which is named if it is not that of the business',
    '18:00 – 19:00',
  ),
  field('event.starts', 'Day and time at which the event starts, in short', 'Fri 2 Oct, 18:00'),
  field(
    'event.url',
    'Link to the page of the event, where it can be booked and cancelled',
    'https://example.com/account/1/events/7',
  ),
  field('venue.name', 'Name of the venue', 'Pier 4'),
  field('venue.address', 'Address of the venue, on one line', '1 Pier, Toronto'),
  field(
    'venue.map',
    'Link to a map, with a word before it. Empty for an online venue, or if its address is unknown',
    'Map: https://www.openstreetmap.org/search?query=1%20Pier%2C%20Toronto',
  ),
  field('event.with', 'Who teaches the event. Empty if nobody is known', 'With Kim Reyes'),
];

/** Fields of notices to people who are booked. */
const TICKET_FIELDS: readonly TemplateField[] = [
  field(
    'paid',
    'What pays for it: a membership and what is left on it, or an amount that was paid or is still owed. Empty if it is free',
    'Paid with Five visits: 4 left.',
  ),
  field(
    'cancel.until',
    'Until when it can be cancelled for free',
    'You can cancel for free until Thursday, 1 October 2026 at 18:00.',
  ),
  field('cancel.url', 'Link to cancel it without a log-in. Anyone who has the link can cancel', `${LINKED}`),
  field('cancel.how', 'The same link, with a sentence above it', `Cancel without logging in:\n${LINKED}`),
  field(
    'calendar',
    'Link to its calendar file, with a sentence above it',
    `Add to your calendar:\n${LINKED}/calendar.ics`,
  ),
  field(
    'receipt',
    'Link to its receipt, with a word above it. Empty if nothing was paid, or somebody else paid',
    `Receipt:\n${LINKED}/receipt`,
  ),
];

const WALLET = field(
  'wallet',
  'How to add it to the wallet of a phone: a sentence and a link on a line of its own. Empty if no wallet is set up, and for people without an account',
  'Add it to the wallet of your phone:\nhttps://example.com/account/1/passes/events/7',
);
const RETURNED = field(
  'returned',
  'What the cancellation returned or lost, and whether it counts as late. Empty if nothing was lost or paid',
  'The visit is back on Five visits.',
);
const MESSAGE = field('message', 'The message that staff wrote', 'The water is too rough.');
const when = '{{event.name}}\n{{event.date}}, {{event.time}}\n{{venue.name}}\n{{venue.address}}';
const whenBooked = `${when}\n{{venue.map}}\n{{event.with}}\n\n{{paid}}\n{{cancel.until}}`;
const links = '{{calendar}}\n\n{{receipt}}';
const about = 'Hi {{customer.first_name|there}},';
const end = '{{event.url}}\n\n{{business.name}}';
const whenSms = '{{event.name}}, {{event.starts}}';

const TRANSLATIONS = readTranslations('schedule/notices');

const ofEvent = (
  number: number,
  type: string,
  description: Text,
  texts: Pick<NoticeType, 'subject' | 'body' | 'smsBody'> & Partial<Pick<NoticeType, 'sms' | 'optional' | 'button'>>,
  more: readonly TemplateField[] = [],
): NoticeType => ({
  number,
  type,
  description,
  email: true,
  sms: false,
  optional: true,
  button: 'Show details',
  translations: TRANSLATIONS,
  fields: [...COMMON_FIELDS, ...EVENT_FIELDS, ...more],
  ...texts,
});

/** Notices to instructors about the events that they teach. */
export const TEACHING_NOTICES = {
  assigned: { type: 'event_teaching_assigned' },
  removed: { type: 'event_teaching_removed' },
} as const;

/** Each notice with its number, its stored name, and its texts unless the business has its own. */
export const BOOKING_NOTICES = {
  confirmed: ofEvent(
    1,
    'event_registration_confirmed',
    say`${A.booking} was made`,
    {
      subject: 'Booked: {{event.name}}, {{event.starts}}',
      body: `${about}\n\n{{participant.is}} booked:\n\n${whenBooked}\n\n{{event.url}}\n\n{{cancel.how}}\n\n${links}\n\n{{wallet}}\n\n{{business.name}}`,
      smsBody: `{{business.name}}: {{participant.is}} booked. ${whenSms}`,
    },
    [...TICKET_FIELDS, WALLET],
  ),

  cancelled: ofEvent(
    2,
    'event_registration_cancelled',
    say`${A.booking} was cancelled`,
    {
      subject: 'Cancelled: {{event.name}}, {{event.starts}}',
      body: say`${about}\n\n{{participant.whose}} ${one.booking} is cancelled:\n\n${when}\n\n{{returned}}\n\n${end}`,
      button: 'Book again',
      smsBody: say`{{business.name}}: {{participant.whose}} ${one.booking} is cancelled. ${whenSms}. {{returned}}`,
    },
    [RETURNED],
  ),

  moved: ofEvent(
    116,
    'event_registration_moved',
    say`${A.booking} was moved to another date`,
    {
      subject: 'Moved: {{event.name}}, {{event.starts}}',
      body: `${about}\n\n{{participant.is}} now booked on:\n\n${when}\n\nThis replaces:\n\n{{before.name}}\n{{before.date}}, {{before.time}}\n\n${end}`,
      button: say`See or cancel the ${one.booking}`,
      smsBody: `{{business.name}}: {{participant.is}} now booked on ${whenSms}. It replaces {{before.name}}, {{before.date}}, {{before.time}}`,
    },
    [
      field('before.name', 'Name of the event that was booked before', 'Rowing'),
      field('before.date', 'The day of that event', 'Thursday, 1 October 2026'),
      field('before.time', 'When that event starts and ends', '18:00 to 19:00'),
    ],
  ),

  reminder: ofEvent(
    3,
    'event_reminder',
    say`${A.event} that was booked is coming up`,
    {
      subject: 'Reminder: {{event.name}}, {{event.starts}}',
      body: say`${about}\n\nWe look forward to seeing {{participant.you}}:\n\n${whenBooked}\n\nNot coming? Please cancel, so that someone else can have the ${one.spot}:\n{{cancel.url}}\n\n{{business.name}}`,
      button: say`See or cancel the ${one.booking}`,
      smsBody: `{{business.name}} looks forward to seeing {{participant.you}}. ${whenSms}`,
    },
    TICKET_FIELDS,
  ),

  eventChanged: ofEvent(
    4,
    'event_changed',
    say`${A.event} that people booked or are waiting for was changed, and staff chose to notify them`,
    {
      sms: true,
      optional: false,
      subject: 'Changed: {{event.name}}, {{event.starts}}',
      body: `${about}\n\nThis {{event.word}} has changed. It is now:\n\n${when}\n\n{{message}}\n\n${end}`,
      smsBody: `{{business.name}}: this {{event.word}} has changed. It is now ${whenSms}. {{message}}`,
    },
    [MESSAGE],
  ),

  eventCancelled: ofEvent(
    5,
    'event_cancelled',
    say`${A.event} that people booked or are waiting for was cancelled, and staff chose to notify them`,
    {
      sms: true,
      optional: false,
      subject: 'Cancelled: {{event.name}}, {{event.starts}}',
      body: `${about}\n\nThis {{event.word}} was cancelled:\n\n${when}\n\n{{message}}\n\n{{returned}}\n\n{{business.url}}\n\n{{business.name}}`,
      button: 'See the timetable',
      smsBody: `{{business.name}}: cancelled. ${whenSms}. {{message}} {{returned}}`,
    },
    [MESSAGE, RETURNED],
  ),

  waitlistAdded: ofEvent(6, 'waitlist_added', say`Someone joined ${a.waitlist}`, {
    subject: say`On the ${one.waitlist}: {{event.name}}, {{event.starts}}`,
    body: say`${about}\n\n{{participant.is}} on the ${one.waitlist}. We'll let you know when ${a.spot} opens up:\n\n${when}\n\n${end}`,
    smsBody: say`{{business.name}}: {{participant.is}} on the ${one.waitlist}. ${whenSms}`,
  }),

  spotAvailable: ofEvent(
    7,
    'waitlist_spot_available',
    say`${A.spot} is free for someone on the ${one.waitlist}`,
    {
      sms: true,
      subject: say`${A.spot} is free: {{event.name}}, {{event.starts}}`,
      body: say`${about}\n\nThere is a free ${one.spot} for {{participant.you}}:\n\n${when}\n\n{{offer}}\n{{claim.url}}\n\n{{business.name}}`,
      button: say`Take the ${one.spot}`,
      smsBody: say`{{business.name}}: there is a free ${one.spot} for {{participant.you}}. ${whenSms}. {{offer}} {{claim.url}}`,
    },
    [
      field(
        'offer',
        'How long the spot is kept, or that it goes to the first person who books it',
        'It is kept until Friday, 2 October 2026, 12:00. Take it here:',
      ),
      field('claim.url', 'Where to take it: the page of the event', 'https://example.com/account/1/events/7'),
    ],
  ),

  waitlistPromoted: ofEvent(
    8,
    'waitlist_promoted',
    say`Someone on the ${one.waitlist} got ${a.spot}`,
    {
      sms: true,
      subject: say`{{participant.has}} ${a.spot}: {{event.name}}, {{event.starts}}`,
      body: say`${about}\n\n${A.spot} opened up, and {{participant.is}} now booked:\n\n${whenBooked}\n\nCan't come after all? Please cancel, so that someone else can have the ${one.spot}:\n{{cancel.url}}\n\n${links}\n\n{{business.name}}`,
      button: say`See or cancel the ${one.booking}`,
      smsBody: say`{{business.name}}: {{participant.has}} ${a.spot}. ${whenSms}`,
    },
    TICKET_FIELDS,
  ),

  spotExpired: ofEvent(9, 'waitlist_spot_expired', say`${A.spot} that was kept was not taken in time`, {
    subject: say`The ${one.spot} is gone: {{event.name}}, {{event.starts}}`,
    body: say`${about}\n\nThe ${one.spot} that was kept for {{participant.you}} was not taken in time, so it went to someone else:\n\n${when}\n\n${end}`,
    smsBody: say`{{business.name}}: the ${one.spot} kept for {{participant.you}} was not taken in time. ${whenSms}`,
  }),

  eventReopened: ofEvent(
    110,
    'event_reopened',
    say`${A.event} that was cancelled takes place after all, and ${a.booking} is back`,
    {
      sms: true,
      optional: false,
      subject: 'Back on: {{event.name}}, {{event.starts}}',
      body: say`${about}\n\nThis {{event.word}} takes place after all, and {{participant.is}} booked again:\n\n${when}\n\n{{message}}\n\nCan't come? Please cancel, so that someone else can have the ${one.spot}:\n${end}`,
      button: say`See or cancel the ${one.booking}`,
      smsBody: say`{{business.name}}: back on, and {{participant.is}} booked again. ${whenSms}. {{message}}`,
    },
    [MESSAGE],
  ),

  waitlistReopened: ofEvent(
    111,
    'waitlist_reopened',
    say`${A.event} that was cancelled takes place after all, and ${a.spot} on its ${one.waitlist} is back`,
    {
      optional: false,
      subject: 'Back on: {{event.name}}, {{event.starts}}',
      body: say`${about}\n\nThis {{event.word}} takes place after all, and {{participant.is}} on the ${one.waitlist} again:\n\n${when}\n\n{{message}}\n\n${end}`,
      smsBody: say`{{business.name}}: back on, and {{participant.is}} on the ${one.waitlist} again. ${whenSms}. {{message}}`,
    },
    [MESSAGE],
  ),

  notRestored: ofEvent(
    112,
    'event_reopened_without_booking',
    say`${A.event} that was cancelled takes place after all, and ${a.booking} is not back`,
    {
      sms: true,
      optional: false,
      subject: 'Back on: {{event.name}}, {{event.starts}}',
      body: say`${about}\n\nThis {{event.word}} takes place after all. The earlier ${one.booking} for {{participant.you}} was cancelled with it and is not back:\n\n${when}\n\n{{message}}\n\nTo come after all, book it here:\n${end}`,
      button: 'Book again',
      smsBody: say`{{business.name}}: back on, but the ${one.booking} for {{participant.you}} is not back. ${whenSms}. {{message}}`,
    },
    [MESSAGE],
  ),

  waitlistRemoved: ofEvent(10, 'waitlist_removed', say`Someone is no longer on ${a.waitlist}`, {
    subject: say`Off the ${one.waitlist}: {{event.name}}, {{event.starts}}`,
    body: say`${about}\n\n{{participant.is}} no longer on the ${one.waitlist} for:\n\n${when}\n\n${end}`,
    smsBody: say`{{business.name}}: {{participant.is}} off the ${one.waitlist}. ${whenSms}`,
  }),

  instructorChanged: ofEvent(
    115,
    'event_instructor_changed',
    say`Someone else will teach ${a.event} that people booked or are waiting for`,
    {
      subject: say`Another ${one.instructor}: {{event.name}}, {{event.starts}}`,
      body: `${about}\n\nThis {{event.word}} is now taught by {{instructors}}:\n\n${when}\n\n${end}`,
      smsBody: `{{business.name}}: taught by {{instructors}}. ${whenSms}`,
    },
    [field('instructors', 'Names of the people who teach the event now', 'Kim Reyes')],
  ),
};
