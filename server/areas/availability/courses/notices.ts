/** Notices to people about the courses that they take part in. */
import { A, Many, One, a, many, one, say, type Text, type Words } from '../../../kernel/base/values/words.ts';
import {
  COMMON_FIELDS,
  wordsTo,
  type Notice,
  type NoticeType,
  type NoticeValues,
} from '../../../kernel/work/unit/notices.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const field = (name: string, description: string, sample: string) => ({ name, description, sample });

const FIELDS = [
  ...COMMON_FIELDS,
  field(
    'participant.first_name',
    "First name of the person who takes part: the reader, or the reader's child",
    'Byron',
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
  field('course.name', 'Name of the course and its dates', 'Pottery: Autumn, Mondays'),
  field(
    'course.url',
    'Link to the account of the customer, which lists the sessions',
    'https://example.com/account/1/profile',
  ),
];
const TIMES = field(
  'course.times',
  'Days and times of the sessions, each on a line',
  'Monday, 5 October 2026, 18:00 to 19:00',
);
const VENUE = [
  field('venue.name', 'Name of the venue', 'Pier 4'),
  field('venue.address', 'Address of the venue, on one line', '1 Pier, Toronto'),
];
const MY_SESSIONS = say`Show my ${many.session}`;
const DATES = field('course.dates', 'The days of the sessions', 'Monday, 5 October 2026; Monday, 12 October 2026');
const SESSION = field('session.time', 'When the session is', 'Monday, 5 October 2026, 18:00 to 19:00');
const TIME_BEFORE = field(
  'session.before',
  'When the session was planned before',
  'Monday, 5 October 2026, 17:00 to 18:00',
);
const MESSAGE = field('message', 'The message that staff wrote', 'The kiln is being repaired.');
const GIVES = field('gives', 'What the customer gets instead', 'You can make up for it in another series.');

const hi = 'Hi {{customer.first_name|there}},';

const translations = readTranslations('courses/notices');

const ofCourse = (
  number: number,
  type: string,
  description: Text,
  texts: Pick<NoticeType, 'subject' | 'body' | 'smsBody' | 'button' | 'optional'>,
  more: readonly (typeof DATES)[] = [],
): NoticeType => ({
  number,
  type,
  description,
  email: true,
  sms: false,
  translations,
  fields: [...FIELDS, ...more],
  ...texts,
});

export const COURSE_NOTICES = {
  enrolled: ofCourse(
    130,
    'course_enrolled',
    say`Someone enrolled in ${a.course}`,
    {
      optional: true,
      subject: 'Enrolled: {{course.name}}',
      body: say`${hi}\n\n{{participant.is}} enrolled in {{course.name}}.\n\n${Many.session}:\n\n{{course.times}}\n\n{{venue.name}}\n{{venue.address}}\n\n{{course.url}}\n\n{{business.name}}`,
      button: MY_SESSIONS,
      smsBody: '{{business.name}}: {{participant.is}} enrolled in {{course.name}}.',
    },
    [DATES, TIMES, ...VENUE],
  ),
  cancelled: ofCourse(
    131,
    'course_enrollment_cancelled',
    say`Someone no longer takes part in ${a.course}`,
    {
      optional: true,
      subject: 'Enrolment cancelled: {{course.name}}',
      body: `${hi}\n\n{{participant.is}} no longer enrolled in {{course.name}}. {{gives}}\n\n{{business.url}}\n\n{{business.name}}`,
      button: 'See the timetable',
      smsBody: '{{business.name}}: {{participant.is}} no longer enrolled in {{course.name}}. {{gives}}',
    },
    [GIVES],
  ),
  sessionMoved: ofCourse(
    132,
    'course_session_moved',
    say`${A.session} of ${a.course} was moved`,
    {
      optional: false,
      subject: 'Moved: {{course.name}}',
      body: say`${hi}\n\n${A.session} of {{course.name}} was moved.\n\nBefore: {{session.before}}\nNow: {{session.time}}\n\n{{message}}\n\n{{course.url}}\n\n{{business.name}}`,
      button: MY_SESSIONS,
      smsBody: say`{{business.name}}: ${a.session} of {{course.name}} was moved. It is now {{session.time}}. {{message}}`,
    },
    [SESSION, TIME_BEFORE, MESSAGE],
  ),
  sessionsAdded: ofCourse(
    136,
    'course_sessions_added',
    say`${Many.session} were added to ${a.course}`,
    {
      optional: false,
      subject: say`More ${many.session}: {{course.name}}`,
      body: say`${hi}\n\nThere are more ${many.session} of {{course.name}} for {{participant.you}}:\n\n{{course.times}}\n\n{{costs}}\n\n{{message}}\n\n{{course.url}}\n\n{{business.name}}`,
      button: MY_SESSIONS,
      smsBody: say`{{business.name}}: more ${many.session} of {{course.name}} for {{participant.you}}: {{course.dates}}. {{costs}} {{message}}`,
    },
    [DATES, TIMES, field('costs', 'What they cost the customer', 'They are included.'), MESSAGE],
  ),
  sessionCancelled: ofCourse(
    133,
    'course_session_cancelled',
    say`${A.session} of ${a.course} was cancelled`,
    {
      optional: false,
      subject: say`${One.session} cancelled: {{course.name}}`,
      body: say`${hi}\n\nThis ${one.session} of {{course.name}} was cancelled:\n\n{{session.time}}\n\n{{gives}}\n\n{{message}}\n\n{{course.url}}\n\n{{business.name}}`,
      button: MY_SESSIONS,
      smsBody: say`{{business.name}}: the ${one.session} of {{course.name}} on {{session.time}} was cancelled. {{gives}} {{message}}`,
    },
    [SESSION, GIVES, MESSAGE],
  ),
  seriesCancelled: ofCourse(
    134,
    'course_cancelled',
    say`${A.course} was cancelled`,
    {
      optional: false,
      subject: 'Cancelled: {{course.name}}',
      body: `${hi}\n\n{{course.name}} was cancelled. {{gives}}\n\n{{message}}\n\n{{business.url}}\n\n{{business.name}}`,
      button: 'See the timetable',
      smsBody: '{{business.name}}: {{course.name}} was cancelled. {{gives}} {{message}}',
    },
    [GIVES, MESSAGE],
  ),
  placeOffered: ofCourse(
    135,
    'course_place_available',
    say`${A.spot} in ${a.course} is kept for someone who waits for it`,
    {
      optional: true,
      subject: say`${A.spot} is free: {{course.name}}`,
      body: say`${hi}\n\nThere is a free ${one.spot} for {{participant.you}} in {{course.name}}. It is kept until {{offer.until}}.\n\n{{claim.url}}\n\n{{business.name}}`,
      smsBody: say`{{business.name}}: there is a free ${one.spot} for {{participant.you}} in {{course.name}}, kept until {{offer.until}}. {{claim.url}}`,
      button: say`Take the ${one.spot}`,
    },
    [
      field('offer.until', 'Until when the place is kept', 'Monday, 5 October 2026, 18:00'),
      field('claim.url', 'Link to take the place', 'https://example.com/account/1/profile'),
    ],
  ),
} satisfies Record<string, NoticeType>;

interface Told {
  readonly type: NoticeType;
  readonly customers: readonly number[];
  /** identifies the occasion; unique for this type */
  readonly key: string;
  readonly values: (reader: Reader, words: Words) => NoticeValues;
  readonly push?: Notice['push'];
}

/** Notifies each of these customers, or their parents. */
export async function notifyCustomers(work: Work, { type, customers, key, values, push }: Told): Promise<void> {
  if (customers.length === 0) return;
  const rows = await work.tx.rows<{ id: number; first_name: string | null }>(
    sql`SELECT id, first_name FROM customer WHERE provider_id = ${work.providerId}
      AND id = ANY(${[...customers]}::bigint[]) AND deleted_at IS NULL ORDER BY id`,
  );
  await work.registry.notifier.notify(
    work,
    rows.map(({ id, first_name }): Notice => ({
      type,
      customer: id,
      key,
      push,
      values: (reader) => ({
        'course.url': `${work.installation.baseUrl}/account/${work.providerId}/profile`,
        ...values(reader, wordsTo(work, reader)),
        'participant.first_name': first_name,
      }),
    })),
  );
}
