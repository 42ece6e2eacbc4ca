/** Notices to customers about their recurring reservations: many bookings in one message, and dates that failed. */
import { COMMON_FIELDS, wordsTo, type NoticeType, type NoticeValues } from '../../../kernel/work/unit/notices.ts';
import { FILLED_IN } from './messages.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { spokenMoment, spokenTimeOfDay } from '../../../kernel/base/languages/spoken.ts';
import { weekdayIn } from '../../../kernel/base/languages/times.ts';
import { MS_PER_DAY } from '../../../kernel/base/values/date.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { one, say, type Text } from '../../../kernel/base/values/words.ts';
import type { DateResult, ReservationRow } from './rows.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { TemplateField } from '../../../kernel/base/values/template.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const field = (name: string, description: string, sample: Text): TemplateField => ({ name, description, sample });

const FIELDS: readonly TemplateField[] = [
  field('participant.name', 'Full name of the person who takes part', 'Byron King'),
  field('reservation.name', 'What is reserved: the name of the offering type', 'Rowing'),
  field('reservation.when', 'The day of the week and the time', 'Tuesdays at 19:00'),
  field('venue.name', 'Name of the venue', 'Pier 4'),
];

const DATES = field('dates', 'The dates that are booked, each on a line', 'Tuesday, 6 October 2026, 19:00');

const about = 'Hi {{customer.first_name|there}},';
const what = '{{reservation.name}}, {{reservation.when}}\n{{venue.name}}';

const translations = readTranslations('reservations/notices');

const ofReservation = (
  number: number,
  type: string,
  description: string,
  texts: Pick<NoticeType, 'subject' | 'body' | 'smsBody'>,
  more: readonly TemplateField[],
): NoticeType => ({
  number,
  type,
  description,
  email: true,
  sms: false,
  optional: true,
  translations,
  fields: [...COMMON_FIELDS, ...FIELDS, ...more],
  ...texts,
});

export const RESERVATION_NOTICES = {
  unavailable: ofReservation(
    125,
    'recurring_reservation_date_unavailable',
    'A recurring reservation could not book a date',
    {
      subject: 'Not booked: {{reservation.name}}, {{reservation.when}}',
      body: `${about}\n\nThese dates could not be booked for {{participant.name}}:\n\n{{missed}}\n\n${what}\n\nLater dates are booked as usual.\n\n{{business.name}}`,
      smsBody: '{{business.name}}: not booked for {{participant.name}}: {{reservation.name}}. {{missed}}',
    },
    [
      field(
        'missed',
        'The dates that could not be booked, each on a line with the reason',
        say`Tuesday, 6 October 2026, 19:00: This ${one.class} is full.`,
      ),
    ],
  ),

  booked: ofReservation(
    126,
    'recurring_reservation_booked',
    'A recurring reservation booked dates',
    {
      subject: 'Booked: {{reservation.name}}, {{reservation.when}}',
      body: say`${about}\n\n{{participant.name}} has a standing ${one.booking}:\n\n${what}\n\n{{dates}}\n\n{{waiting}}\n\n{{later}}\n\n{{missed}}\n\nCan't come on one of these days? Please cancel, so that someone else can have the ${one.spot}.\n\n{{business.name}}`,
      smsBody:
        '{{business.name}}: booked for {{participant.name}}: {{reservation.name}}, {{reservation.when}}. {{dates}}',
    },
    [
      DATES,
      field(
        'waiting',
        'The dates on which there is only the waitlist',
        say`On the ${one.waitlist}:\nTuesday, 13 October 2026, 19:00`,
      ),
      field(
        'later',
        'The dates for which booking has not opened',
        'Booked as soon as this is possible:\nTuesday, 20 October 2026, 19:00',
      ),
      field(
        'missed',
        'The dates that could not be booked, each with the reason',
        say`Not booked:\nTuesday, 27 October 2026, 19:00: This ${one.class} is full.`,
      ),
    ],
  ),
};

type Print = (reader: Reader) => (one: DateResult) => string;

const line: Print =
  (reader) =>
  ({ startsAt, zone }) =>
    spokenMoment(reader, startsAt, zone);

const lineWithReason =
  (work: Work): Print =>
  (reader) =>
  (one) => {
    const words = wordsTo(work, reader);
    const why = one.reasons.slice(0, 1).map(({ customer, localized }) => localized?.(words) ?? customer);
    return [line(reader)(one), ...why].join(': ');
  };

const saying = ({ tenant }: Work, reader: Reader) => FILLED_IN.for(reader, tenant.words);

const listOf = (all: readonly DateResult[], text: (one: DateResult) => string, heading?: string): string | null =>
  all.length === 0 ? null : [...(heading === undefined ? [] : [heading]), ...all.map(text)].join('\n');

/** Sends one message for all of them. */
export async function notifyBooked(work: Work, row: ReservationRow, dates: readonly DateResult[]): Promise<void> {
  const of = (outcome: DateResult['outcome']) => dates.filter((one) => one.outcome === outcome);
  const [booked, waiting, later] = [of('booked'), of('waitlisted'), of('opens_later')];
  if (booked.length + waiting.length + later.length === 0) return;
  await send(work, row, RESERVATION_NOTICES.booked, dates, (reader) => {
    const [print, say] = [line(reader), saying(work, reader)];
    return {
      dates: listOf(booked, print),
      waiting: listOf(waiting, print, say('waiting')),
      later: listOf(later, print, say('later')),
      missed: listOf(of('unavailable'), lineWithReason(work)(reader), say('missed')),
    };
  });
}

export const notifyUnavailable = (work: Work, row: ReservationRow, missed: readonly DateResult[]): Promise<void> =>
  send(work, row, RESERVATION_NOTICES.unavailable, missed, (reader) => ({
    missed: listOf(missed, lineWithReason(work)(reader)),
  }));

async function send(
  work: Work,
  row: ReservationRow,
  type: NoticeType,
  [first]: readonly DateResult[],
  values: (reader: Reader) => NoticeValues,
): Promise<void> {
  const names = (await work.tx.one<{ offering: string; venue: string; participant: string }>(sql`
    SELECT o.name AS offering, v.name AS venue, concat_ws(' ', c.first_name, c.last_name) AS participant
    FROM offering_type o JOIN venue v ON v.provider_id = o.provider_id AND v.id = ${row.venue_id}
      JOIN customer c ON c.provider_id = o.provider_id AND c.id = ${row.customer_id}
    WHERE o.provider_id = ${work.providerId} AND o.id = ${row.offering_type_id}`))!;
  await work.registry.notifier.notify(work, [
    {
      type,
      customer: row.customer_id,
      key: `${row.id}:${first.date}:${work.now}`,
      values: (reader) => ({
        'participant.name': names.participant,
        'reservation.name': names.offering,
        'reservation.when': whenIn(work, reader, row),
        'venue.name': names.venue,
        ...values(reader),
      }),
    },
  ]);
}

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** Returns the time in words: Tuesdays at 19:00, or at 7:00 p.m. in Canada. */
const whenIn = (work: Work, reader: Reader, { weekday, local_time }: ReservationRow): string =>
  saying(work, reader)('when', {
    day: weekdayIn(reader.locale, MONDAY + (weekday - 1) * MS_PER_DAY, 'UTC'),
    time: spokenTimeOfDay(reader, local_time.slice(0, 5)),
  });
