/** External calendars, as staff see them: their own in full, those of others only as far as planning needs it. */
import {
  boolean,
  embeddedOne,
  id,
  instant,
  integer,
  listOf,
  number,
  oneOf,
  ref,
  text,
  uri,
} from '../../../../kernel/base/fields/kinds.ts';
import { formatInstant, parsePgInstant } from '../../../../kernel/base/values/zone.ts';
import { may, viewingStaff, type Viewer } from '../../../../kernel/work/access/viewer.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../../kernel/api/resource.ts';

const SOURCES = ['GOOG', 'MSFT', 'ICAL'] as const;

/** Returns true for people who plan for the whole business. */
export const seesAll = (viewer: Pick<Viewer, 'permissions' | 'venues'>): boolean =>
  may(viewer as Viewer, 'manage_events') && viewer.venues === null;

/** `staff` selects the staff member who owns the row, from the alias of the row. */
const ofStaff = (staff: (t: string) => Sql): Policy => ({
  provider: (t, viewer) => (seesAll(viewer) ? true : sql`${staff(t)} = ${viewingStaff}::bigint`),
  customer: false,
  unregistered: false,
});

const account = (t: string, column: string, id = 'account_id') =>
  raw(
    `(SELECT a.${column} FROM external_calendar_account a
      WHERE a.provider_id = ${t}.provider_id AND a.id = ${t}.${id})`,
  );

/** Selects from the calendar that a column of the row names, or from its account. */
const calendar = (t: string, expression: string) =>
  raw(
    `(SELECT ${expression} FROM external_calendar c
      JOIN external_calendar_account a ON a.provider_id = c.provider_id AND a.id = c.account_id
      WHERE c.provider_id = ${t}.provider_id AND c.id = ${t}.calendar_id)`,
  );

const base64 = ([text]: (string | null)[]) => Buffer.from(text!).toString('base64url');

export const externalCalendarAccount = resource('external_calendar_account', {
  description: 'A calendar elsewhere that a staff member connected.',
  object: null,
  fields: {
    id: id(),
    calendar_source: oneOf(SOURCES).describe(
      '`ICAL`: a calendar that is read by its iCalendar address. `GOOG` and `MSFT`, Google and Microsoft, are not available yet.',
    ),
    account_id: text({ max: 500 }).from((t) => raw(`('ical-' || ${t}.id)`)),
    username: text({ max: 256 }).describe('The name that was given, or else the host of the address.'),
    staff: ref('staff').describe('Staff member who owns the calendar.'),
    created_at: instant(),
  },
  visible: ofStaff((t) => raw(`${t}.staff_id`)),
  secret: ['sealed', 'address_print'],
});

/**
 * Fields about how reading the calendar goes. `of` selects an expression over the calendar (alias `c`) into the row,
 * `staff` its owner.
 */
const readiness = (of: (t: string, expression: string) => Sql, staff: (t: string) => Sql) => ({
  is_active: boolean()
    .from((t) => of(t, 'c.is_active'))
    .describe('False if the calendar could not be read for 30 days. Its busy times no longer count then.'),
  calendar_ready: boolean()
    .from((t) => of(t, '(c.read_at IS NOT NULL)'))
    .describe('True if the calendar was read at least once.'),
  events_ready: boolean()
    .from((t) => of(t, '(c.read_at IS NOT NULL AND c.failures = 0)'))
    .describe('True if its events are up to date: the last attempt to read it succeeded.'),
  last_read_at: instant()
    .nullable()
    .from((t) => of(t, 'c.read_at'))
    .describe('When the calendar was last read successfully.'),
  last_error: text({ max: 500 })
    .nullable()
    .from((t) => of(t, 'c.last_error'))
    .describe('Why the last attempt to read it failed. Null if it succeeded.'),
  warnings: listOf(text({ max: 300 }), { max: 21 })
    .computed(
      (t) => [
        sql`CASE WHEN ${staff(t)} = ${viewingStaff}::bigint THEN ${of(t, 'array_to_json(c.warnings)::text')} END`,
      ],
      ([said]) => JSON.parse(said ?? '[]'),
    )
    .describe(
      'Parts of the calendar that could not be read as written, a sentence for each: entries that were left out or simplified, and unknown time zones. Empty in the calendars of others.',
    ),
});

export const externalCalendar = resource('external_calendar', {
  description: 'A calendar of a connected account, and how reading it goes.',
  object: null,
  fields: {
    calendar_source: oneOf(SOURCES).from((t) => account(t, 'calendar_source')),
    account_id: text({ max: 500 }).from((t) => raw(`('ical-' || ${t}.account_id)`)),
    username: text({ max: 256 }).from((t) => account(t, 'username')),
    base64_calendar_source_calendar_id: text({ max: 1000 }).computed((t) => [raw(`${t}.source_id`)], base64),
    calendar_source_calendar_id: text({ max: 500 }).from((t) => raw(`${t}.source_id`)),
    calendar_name: text({ max: 256 })
      .nullable()
      .from((t) => raw(`${t}.name`))
      .describe('As the calendar calls itself. Null if it gives no name, or was not read yet.'),
    calendar_is_primary: boolean().from((t) => raw(`${t}.is_primary`)),
    calendar_timezone: text({ max: 250 })
      .nullable()
      .from((t) => raw(`${t}.timezone`))
      .describe('Null if the calendar names none. The time zone of the business counts then.'),
    ...readiness(
      (t, expression) => raw(expression.replaceAll('c.', `${t}.`)),
      (t) => account(t, 'staff_id'),
    ),
    calendar_source_account: embeddedOne('external_calendar_account', (t) => raw(`${t}.account_id`)),
  },
  visible: ofStaff((t) => account(t, 'staff_id')),
});

/** Visible to the owner of the calendar only. */
const own = (t: string, column: string): Sql =>
  sql`CASE WHEN ${calendar(t, 'a.staff_id')} = ${viewingStaff}::bigint THEN ${raw(`${t}.${column}`)} END`;

const OWN = 'Null in the calendars of others.';
const NOT_STORED = 'Always null: it is not stored.';
const never = () => raw('NULL');

const inUtc = (expression: (t: string) => Sql) =>
  instant().computed(
    (t) => [expression(t)],
    ([at]) => at && formatInstant(parsePgInstant(at), 'UTC'),
  );

export const externalCalendarEvent = resource('external_calendar_event', {
  description: 'One time that an event of a connected calendar takes place. Others than its owner see only when.',
  object: null,
  fields: {
    base64_calendar_source_calendar_id: text({ max: 1000 }).computed((t) => [calendar(t, 'c.source_id')], base64),
    calendar_is_primary: text({ max: 5 }).from((t) => calendar(t, 'c.is_primary::text')),
    calendar_name: text({ max: 256 }).from((t) => calendar(t, 'coalesce(c.name, a.username)')),
    calendar_source_calendar_id: text({ max: 500 }).from((t) => calendar(t, 'c.source_id')),
    calendar_source_created_at: instant()
      .nullable()
      .from((t) => raw(`${t}.source_created_at`)),
    calendar_source_event_id: text({ max: 1000 }).computed(
      (t) => [own(t, 'source_event_id'), raw(`${t}.id`)],
      ([source, ours]) => source ?? `event-${ours}`,
    ),
    calendar_source_updated_at: instant()
      .nullable()
      .from((t) => raw(`${t}.source_updated_at`)),
    calendar_timezone: text({ max: 250 })
      .nullable()
      .from((t) => calendar(t, 'c.timezone')),
    description: text().nullable().from(never).describe(NOT_STORED),
    end_datetime_utc: inUtc((t) => raw(`upper(${t}.during)`)),
    etag: text({ max: 1000 }).nullable().from(never).describe(NOT_STORED),
    is_all_day: boolean(),
    is_busy: boolean().describe('False if the calendar shows the event as free, or if it was cancelled.'),
    link: uri().nullable().from(never).describe(NOT_STORED),
    location_address: text().nullable().from(never).describe(NOT_STORED),
    location_latitude: number().nullable().from(never).describe(NOT_STORED),
    location_longitude: number().nullable().from(never).describe(NOT_STORED),
    location_name: text({ max: 300 })
      .nullable()
      .from((t) => own(t, 'location_name'))
      .describe(OWN),
    start_datetime_utc: inUtc((t) => raw(`lower(${t}.during)`)),
    status: oneOf(['CONF', 'TENT', 'CANC', 'UNKN']).describe('Confirmed, tentative, cancelled or unknown.'),
    timezone: text({ max: 250 }).nullable(),
    title: text({ max: 300 })
      .nullable()
      .from((t) => own(t, 'title'))
      .describe(OWN),
    visibility: oneOf(['DEFT', 'PUBL', 'PRIV', 'UNKN']).describe('Default, public, private or unknown.'),
    calendar_source_account: embeddedOne('external_calendar_account', (t) => calendar(t, 'c.account_id')).deferred(),
  },
  visible: ofStaff((t) => calendar(t, 'a.staff_id')),
});

export const staffCalendarSetting = resource('staff_calendar_setting', {
  description: 'The use of a calendar by its staff member.',
  object: null,
  fields: {
    id: id(),
    base64_calendar_source_calendar_id: text({ max: 1000 }).computed((t) => [calendar(t, 'c.source_id')], base64),
    calendar_source_calendar_id: text({ max: 500 }).from((t) => calendar(t, 'c.source_id')),
    is_source_for_busy_periods: boolean().describe(
      'True if nobody can book the staff member while an event of the calendar takes place.',
    ),
    constrain_only_busy: boolean().describe(
      'True if only events that the calendar shows as busy count. False if all of them do.',
    ),
    is_destination_for_service_events: boolean().describe(
      'Always false for a calendar that is read by its address. Subscribe to the calendar feed of the instructor instead.',
    ),
    push_only_if_event_has_attendees: boolean().describe('Stored, but has no effect yet.'),
    set_external_reminders_for_pushed_events: boolean().describe('Stored, but has no effect yet.'),
    reminder_number_of_minutes_prior: integer({ min: 0, max: 4_294_967_295 })
      .nullable()
      .describe('Stored, but has no effect yet.'),
    ...readiness(calendar, (t) => calendar(t, 'a.staff_id')),
    calendar_source_account: embeddedOne('external_calendar_account', (t) => calendar(t, 'c.account_id')),
  },
  visible: ofStaff((t) => calendar(t, 'a.staff_id')),
});
