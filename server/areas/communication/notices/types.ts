/**
 * The kinds of notices: what each is about, what it says unless the business says otherwise, and what may be filled in.
 */
import type { TemplateField } from '../messages/index.ts';

export interface NoticeType {
  /** stands for it in addresses and preferences; never changed */
  readonly number: number;
  /** the name that the ledger and the settings have for it */
  readonly type: string;
  readonly description: string;
  /** what it uses unless the business says otherwise */
  readonly email: boolean;
  readonly sms: boolean;
  /** customers may switch it off for themselves; else it tells what they must know */
  readonly optional: boolean;
  /** says something else each time: customers may switch it off, and there is no template of it */
  readonly freeform?: true;
  readonly fields: readonly TemplateField[];
  readonly subject: string;
  readonly body: string;
  readonly smsBody: string;
}

const field = (name: string, description: string, sample: string): TemplateField => ({ name, description, sample });

/** Every notice has these. */
export const COMMON_FIELDS: readonly TemplateField[] = [
  field('customer.first_name', 'First name of the person who reads the message', 'Ada'),
  field('business.name', 'Name of the business', 'Harbour Lane'),
];

/** Of notices about an event. */
export const EVENT_FIELDS: readonly TemplateField[] = [
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
  field('participant.name', 'Full name of the person who takes part', 'Byron King'),
  field('event.name', 'Name of the event', 'Rowing'),
  field('event.date', 'The day on which the event starts, in the time zone of its venue', 'Friday, 2 October 2026'),
  field('event.time', 'When the event starts and ends, in the time zone of its venue', '18:00 to 19:00'),
  field(
    'event.url',
    'Link to the page of the event, where it can be booked and cancelled',
    'https://example.com/account/1/events/7',
  ),
  field('venue.name', 'Name of the venue', 'Pier 4'),
  field('venue.address', 'Address of the venue, on one line', '1 Pier, Toronto'),
];

const MESSAGE = field('message', 'The message that staff wrote', 'The water is too rough.');
const when = '{{event.name}}\n{{event.date}}, {{event.time}}\n{{venue.name}}\n{{venue.address}}';
const about = 'Hi {{customer.first_name|there}},';
const end = '{{event.url}}\n\n{{business.name}}';
const whenSms = '{{event.name}}, {{event.date}}, {{event.time}}';

const TYPES = new Map<string, NoticeType>();

/**
 * Adds a kind of notice. Areas that stand after this one declare theirs as their `index.ts` is loaded, and send them by
 * `sendNotices`.
 */
export function noticeType(declared: NoticeType): NoticeType {
  for (const known of TYPES.values()) {
    if (known.type === declared.type || known.number === declared.number)
      throw new Error(`two kinds of notices are called ${declared.type}, or have the number ${declared.number}`);
  }
  TYPES.set(declared.type, declared);
  return declared;
}

export const noticeTypes = (): readonly NoticeType[] => [...TYPES.values()].toSorted((a, b) => a.number - b.number);

/** Those that a business has templates of. */
export const templateTypes = (): readonly NoticeType[] => noticeTypes().filter(({ freeform }) => !freeform);

export const findNoticeType = (type: string): NoticeType | undefined => TYPES.get(type);

const ofEvent = (
  number: number,
  type: string,
  description: string,
  say: Pick<NoticeType, 'subject' | 'body' | 'smsBody'> & Partial<Pick<NoticeType, 'sms' | 'optional'>>,
  more: readonly TemplateField[] = [],
): NoticeType =>
  noticeType({
    number,
    type,
    description,
    email: true,
    sms: false,
    optional: true,
    fields: [...COMMON_FIELDS, ...EVENT_FIELDS, ...more],
    ...say,
  });

export const CONFIRMED = ofEvent(1, 'event_registration_confirmed', 'A booking was made', {
  subject: 'Booked: {{event.name}}, {{event.date}}',
  body: `${about}\n\n{{participant.is}} booked on:\n\n${when}\n\n${end}`,
  smsBody: `{{business.name}}: {{participant.is}} booked. ${whenSms}`,
});

export const CANCELLED = ofEvent(2, 'event_registration_cancelled', 'A booking was cancelled', {
  subject: 'Booking cancelled: {{event.name}}, {{event.date}}',
  body: `${about}\n\nThis booking for {{participant.you}} was cancelled:\n\n${when}\n\n{{business.name}}`,
  smsBody: `{{business.name}}: booking for {{participant.you}} cancelled. ${whenSms}`,
});

export const REMINDER = ofEvent(3, 'event_reminder', 'An event that was booked is coming up', {
  subject: 'Reminder: {{event.name}}, {{event.date}}',
  body: `${about}\n\nWe look forward to seeing {{participant.you}}:\n\n${when}\n\nNot coming? Please cancel, so that someone else can have the spot:\n${end}`,
  smsBody: `{{business.name}} looks forward to seeing {{participant.you}}. ${whenSms}`,
});

export const EVENT_CHANGED = ofEvent(
  4,
  'event_changed',
  'An event that people booked or are waiting for was changed, and staff chose to notify them',
  {
    sms: true,
    optional: false,
    subject: 'Changed: {{event.name}}, {{event.date}}',
    body: `${about}\n\nThis event has changed. It is now:\n\n${when}\n\n{{message}}\n\n${end}`,
    smsBody: `{{business.name}}: this event has changed. It is now ${whenSms}. {{message}}`,
  },
  [MESSAGE],
);

export const EVENT_CANCELLED = ofEvent(
  5,
  'event_cancelled',
  'An event that people booked or are waiting for was cancelled, and staff chose to notify them',
  {
    sms: true,
    optional: false,
    subject: 'Cancelled: {{event.name}}, {{event.date}}',
    body: `${about}\n\nThis event was cancelled:\n\n${when}\n\n{{message}}\n\n{{business.name}}`,
    smsBody: `{{business.name}}: cancelled. ${whenSms}. {{message}}`,
  },
  [MESSAGE],
);

export const WAITLIST_ADDED = ofEvent(6, 'waitlist_added', 'Someone joined a waitlist', {
  subject: 'On the waitlist: {{event.name}}, {{event.date}}',
  body: `${about}\n\n{{participant.is}} on the waitlist. We'll let you know when a spot opens up:\n\n${when}\n\n${end}`,
  smsBody: `{{business.name}}: {{participant.is}} on the waitlist. ${whenSms}`,
});

export const SPOT_AVAILABLE = ofEvent(
  7,
  'waitlist_spot_available',
  'A spot is free for someone on the waitlist',
  {
    sms: true,
    subject: 'A spot is free: {{event.name}}, {{event.date}}',
    body: `${about}\n\nThere is a free spot for {{participant.you}}:\n\n${when}\n\n{{offer}}\n{{claim.url}}\n\n{{business.name}}`,
    smsBody: `{{business.name}}: there is a free spot for {{participant.you}}. ${whenSms}. {{offer}} {{claim.url}}`,
  },
  [
    field(
      'offer',
      'How long the spot is kept, or that it goes to whoever books first',
      'It is kept until Friday, 2 October 2026, 12:00. Take it here:',
    ),
    field('claim.url', 'Where to take it: the page of the event', 'https://example.com/account/1/events/7'),
  ],
);

export const WAITLIST_PROMOTED = ofEvent(8, 'waitlist_promoted', 'Someone on the waitlist got a spot', {
  sms: true,
  subject: '{{participant.has}} a spot: {{event.name}}, {{event.date}}',
  body: `${about}\n\nA spot opened up, and {{participant.is}} now booked:\n\n${when}\n\nCan't come after all? Please cancel, so that someone else can have the spot:\n${end}`,
  smsBody: `{{business.name}}: {{participant.has}} a spot. ${whenSms}`,
});

export const SPOT_EXPIRED = ofEvent(9, 'waitlist_spot_expired', 'A spot that was kept was not taken in time', {
  subject: 'The spot is gone: {{event.name}}, {{event.date}}',
  body: `${about}\n\nThe spot that was kept for {{participant.you}} was not taken in time, so it went to someone else:\n\n${when}\n\n${end}`,
  smsBody: `{{business.name}}: the spot kept for {{participant.you}} was not taken in time. ${whenSms}`,
});

export const WAITLIST_REMOVED = ofEvent(10, 'waitlist_removed', 'Someone is no longer on a waitlist', {
  subject: 'Off the waitlist: {{event.name}}, {{event.date}}',
  body: `${about}\n\n{{participant.is}} no longer on the waitlist for:\n\n${when}\n\n${end}`,
  smsBody: `{{business.name}}: {{participant.is}} off the waitlist. ${whenSms}`,
});
