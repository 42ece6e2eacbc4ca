/** Columns and filters shared by several reports. */
import { asSql, below, column, filterBy } from '../report.ts';
import type { Around, Column, Columns, ReportFilter } from '../columns.ts';
import { boolean, called, id, instant, integer, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { Field } from '../../../../kernel/base/fields/field.ts';
import { instant as instantText, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { isTimeframe, timeframe, TIMEFRAME_HINT } from '../rules/timeframe.ts';
import { addDays, startOfDay, wallAt } from '../../../../kernel/base/values/zone.ts';

/** Selects the first and last name of the row under an alias. */
export const nameOf = (t: string): Sql => raw(`nullif(btrim(concat_ws(' ', ${t}.first_name, ${t}.last_name)), '')`);

/** Returns `customer.id`, `.name` and `.email` of the customer under an alias. */
export const customerColumns = (t: string, name = 'customer', aliases?: Readonly<Record<string, string>>): Columns =>
  below(
    name,
    {
      id: column(id(), `${t}.id`, 'ID of the customer.'),
      name: column(text(), nameOf(t), 'First and last name.'),
      email: column(text(), `${t}.email`, 'Email address.', { for: ['customers'] }),
    },
    aliases,
  );

/** Returns the customer's columns, with names only for staff who may see customers. */
export const privateCustomer = (t: string): Columns =>
  Object.fromEntries(
    Object.entries(customerColumns(t)).map(([key, of]) => [
      key,
      key === 'customer.id' ? of : { ...of, for: ['customers'] },
    ]),
  );

/** Returns `first_membership.id` and `.name` of the membership under an alias. */
export const firstMembership = (t: string): Columns =>
  below('first_membership', {
    id: column(id(), `${t}.id`, 'ID of the membership that the customer had first. Empty if they never had one.'),
    name: column(text(), `${t}.name`, 'Name of the membership that the customer had first.'),
  });

/** Returns `id` and `name` of a row under an alias. */
export const named = (name: string, t: string, of: string, aliases?: Readonly<Record<string, string>>): Columns =>
  below(
    name,
    {
      id: column(id(), `${t}.id`, `ID of ${of}.`),
      name: column(text(), `${t}.name`, `Name of ${of}.`),
    },
    aliases,
  );

/** Selects the names and ids of the instructors of an event, as a list; takes an expression for the event's id. */
export const instructorsOf = (event: string): Sql =>
  raw(`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name) ORDER BY i.name, i.id), '[]'::jsonb)
    FROM event_instructor ei JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id
    WHERE ei.provider_id = current_provider_id() AND ei.event_id = ${event})`);

/** Filters events by instructors; takes an expression for the event's id. */
export const taughtBy = (event: string): ReportFilter =>
  filterBy(
    idList(),
    (ids) => sql`EXISTS (SELECT FROM event_instructor t
      WHERE t.provider_id = current_provider_id() AND t.event_id = ${raw(event)}
      AND t.instructor_id = ANY(${ids}::bigint[]))`,
  );

/** Returns `customer.venue.id` and `.name` of the venue under an alias. */
export const customerVenue = (v: string): Columns =>
  below(
    'customer',
    named('venue', v, 'the venue that the customer belongs to'),
    (key) => `customer_${key.replace('.', '_')}`,
  );

const idList = () => called('id_list', listOf(id(), { max: 1000 }));

/** Filters by a list of ids. */
export const anyOf = (expression: string, reads?: string): ReportFilter =>
  filterBy(idList(), (ids) => sql`${raw(expression)} = ANY(${ids}::bigint[])`, reads);

/** One of these words, or of those of a field. */
export const oneOfThese = <const V extends string>(
  values: readonly V[] | Field<V>,
  expression: string | Sql,
  reads?: string,
): ReportFilter =>
  filterBy(
    listOf(values instanceof Field ? values : oneOf(values)),
    (chosen) => sql`${asSql(expression)} = ANY(${chosen}::text[])`,
    reads,
  );

export const isTrue = (condition: Sql | string, reads?: string): ReportFilter =>
  filterBy(
    boolean(),
    (wanted) =>
      sql`coalesce(${typeof condition === 'string' ? raw(condition) : condition}, false) = ${wanted}::boolean`,
    reads,
  );

const timeframeField = (): Field<string> =>
  called(
    'report_period',
    new Field<string>({
      schema: { type: 'string', maxLength: 30 },
      read: (input, path, { issues }) =>
        typeof input === 'string' && isTimeframe(input.trim()) ? input.trim() : issues.add(path, TIMEFRAME_HINT),
      description: TIMEFRAME_HINT.replace('Must be a', 'A'),
    }),
  );

/**
 * Returns the filters `name_gte`, `name_lte` and a named period for a time; null for no named period. Periods are days
 * of the business.
 */
export const within = (
  name: string,
  of: string | Sql,
  period: string | null = `${name}_timeframe`,
): Record<string, ReportFilter> => ({
  [`${name}_gte`]: filterBy(instant(), (at) => sql`${asSql(of)} >= ${instantText(at)}::timestamptz`),
  [`${name}_lte`]: filterBy(instant(), (at) => sql`${asSql(of)} <= ${instantText(at)}::timestamptz`),
  ...(period && {
    [period]: {
      ...filterBy(timeframeField(), (text, { now, zone }) => {
        const { from, to } = timeframe(text, wallAt(now, zone).date)!;
        return sql`${asSql(of)} >= ${instantText(startOfDay(from, zone))}::timestamptz
        AND ${asSql(of)} < ${instantText(startOfDay(addDays(to, 1), zone))}::timestamptz`;
      }),
      bounds: { from: `${name}_gte`, to: `${name}_lte` },
    },
  }),
});

/** Filters by the time of the row's last change, without a named period. */
export const changed = (t: string): Record<string, ReportFilter> => within('updated_at', `${t}.updated_at`, null);

/** Restricts the rows to events that have begun, unless the caller asks for future ones. */
export const untilNow =
  (start: string) =>
  ({ now }: Around): Sql =>
    sql`${raw(start)} <= ${instantText(now)}::timestamptz`;

/** Returns the filters of `within`, for a value that is compared with days in its own way. */
export const withinPeriod = (
  name: string,
  field: () => Field<string>,
  { from, to }: { readonly from: (day: string) => Sql; readonly to: (day: string) => Sql },
  { reads, period = `${name}_timeframe` }: { readonly reads?: string; readonly period?: string | null } = {},
): Record<string, ReportFilter> => ({
  [`${name}_gte`]: filterBy(field(), from, reads),
  [`${name}_lte`]: filterBy(field(), to, reads),
  ...(period && {
    [period]: {
      ...filterBy(
        timeframeField(),
        (text, { now, zone }) => {
          const days = timeframe(text, wallAt(now, zone).date)!;
          return sql`(${from(days.from)} AND ${to(days.to)})`;
        },
        reads,
      ),
      bounds: { from: `${name}_gte`, to: `${name}_lte` },
    },
  }),
});

/** Returns the filters of `within`, for a date. */
export const withinDays = (
  name: string,
  of: string | Sql,
  field: () => Field<string>,
  reads?: string,
  period: string | null = `${name}_timeframe`,
): Record<string, ReportFilter> =>
  withinPeriod(
    name,
    field,
    { from: (day) => sql`${asSql(of)} >= ${day}::date`, to: (day) => sql`${asSql(of)} <= ${day}::date` },
    { period, ...(reads !== undefined && { reads }) },
  );

export const countField = () => integer({ min: 0 });

/** The number of rows in a group. */
export const COUNT = column(countField(), 'count(*)', 'Number of rows in the group.');

/** The number of rows in a group of rows that each stand for as many as an expression says. */
export const countedBy = (n: string): Column => ({ ...COUNT, reads: [sql`coalesce(sum(${raw(n)}), 0)`] });

/** Returns the year, and the month from 1 to 12, of a local time or date. */
export const yearAndMonth = (wall: Sql, of: string, [year, month]: readonly [string, string]): Columns => ({
  [month]: column(integer({ min: 1, max: 12 }), sql`date_part('month', ${wall})::int`, `Month of ${of}, from 1 to 12.`),
  [year]: column(integer(), sql`date_part('year', ${wall})::int`, `Year of ${of}.`),
});

const WEEKDAYS = `(ARRAY['monday','tuesday','wednesday','thursday','friday','saturday','sunday'])`;

/** Returns the day of the week of a local time, in words. */
export const dayOfWeek = (wall: string) =>
  column(text(), `${WEEKDAYS}[date_part('isodow', ${wall})::int]`, 'Day of the week, by the clock of the venue.');

/** Returns the time of day of a local time. */
export const clockOf = (wall: string, more = {}) =>
  column(text(), `to_char(${wall}, 'HH24:MI')`, 'Time of day when it starts, by the clock of the venue.', more);
