/** Pay items of instructors for sessions: listing and explaining them. */
import { answer, filter, read, STAFF, listAndGet } from '../../../kernel/api/endpoint.ts';
import {
  boolean,
  id,
  instant,
  integer,
  listOf,
  money,
  object,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { may, viewingStaff, type Input, type Viewer } from '../../../kernel/work/access/viewer.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import { placeOf, resource } from '../../../kernel/api/resource.ts';
import { wireMoney } from '../../../kernel/base/values/money.ts';
import type { ItemRow } from './calculate.ts';

const STATUSES = ['open', 'approved'] as const;

const statusOf = (t: string) => raw(`CASE WHEN ${t}.instructor_pay_period_id IS NULL THEN 'open' ELSE 'approved' END`);

/** Returns true if the viewer sees everybody's pay; instructors see their own. */
export const seesAllPay = (viewer: Viewer): boolean => may(viewer, 'revenue');

export const instructorPayItem = resource('instructor_pay_item', {
  description:
    'Pay of an instructor for a session that has ended. It is calculated in the background, again whenever bookings change, and stays as it is once its period is approved.',
  fields: {
    id: id(),
    event: ref('event'),
    instructor: ref('instructor'),
    instructor_pay_rate: ref('instructor_pay_rate')
      .nullable()
      .describe('By which rate it is paid. Null if no rate covers the session.'),
    rate_version: integer()
      .nullable()
      .describe('The version of the rate by which it was calculated. Later changes of the rate change nothing here.'),
    pay: money()
      .nullable()
      .from((t) => raw(`${t}.pay_minor`))
      .describe('Null if no rate covers the session.'),
    counted_customers: integer()
      .nullable()
      .from((t) => raw(`${t}.counted`))
      .describe('Number of customers who counted.'),
    status: oneOf(STATUSES).from(statusOf),
    instructor_pay_period: ref('instructor_pay_period')
      .nullable()
      .describe('The period with which it was approved. Null while it is open.'),
    calculated_at: instant(),
  },
  visible: {
    provider: (t, viewer) =>
      seesAllPay(viewer) ||
      sql`${raw(t)}.instructor_id IN (SELECT i.id FROM instructor i
        WHERE i.provider_id = current_provider_id() AND i.staff_id = ${viewingStaff}::bigint)`,
    customer: false,
    unregistered: false,
  },
  place: placeOf('event'),
});

const ofEvent = (t: string, condition: ReturnType<typeof sql>) =>
  sql`
    EXISTS (SELECT FROM event e WHERE e.provider_id = ${raw(t)}.provider_id AND e.id = ${raw(t)}.event_id
      AND ${condition})`;

const starts = (operator: '>=' | '<=', name: string) => {
  const at = param<Input>(({ query }) => new Date(query[name]).toISOString());
  return filter(instant(), (t) => ofEvent(t, sql`e.starts_at ${raw(operator)} ${at}::timestamptz`));
};

const OWN = 'Instructors see their own pay; `revenue` shows everyone’s.';

const explain = read({
  path: '/instructor_pay_items/{id}/explain',
  summary: 'Explain the pay for a session',
  description: `Returns why this rate applies, and the amounts that the pay consists of. The steps sum to it. ${OWN}`,
  who: STAFF,
  target: instructorPayItem,
  returns: answer({
    instructor_pay_item: id(),
    rate: object({ id: id(), name: text(), version: integer() }).nullable(),
    because: text(),
    counted_customers: integer().nullable(),
    steps: listOf(object({ name: text(), amount: money(), text: text() })),
    pay: money().nullable(),
  }),
  run: async ({ work, target }) => {
    const item = target as unknown as ItemRow;
    const amount = (minor: number) => wireMoney({ minor, currency: work.tenant.currency });
    return {
      instructor_pay_item: item.id,
      rate: item.terms && { id: item.instructor_pay_rate_id, name: item.terms.name, version: item.rate_version },
      because: item.explanation.because,
      counted_customers: item.counted,
      steps: item.explanation.steps.map(({ name, minor, text: words }) => ({
        name,
        amount: amount(minor),
        text: words,
      })),
      pay: item.pay_minor === null ? null : amount(item.pay_minor),
    };
  },
});

const any = (column: string) => filter(listOf(id()), (t, ids) => sql`${raw(`${t}.${column}`)} = ANY(${ids}::bigint[])`);

export const findItems = [
  ...listAndGet(instructorPayItem, {
    path: '/instructor_pay_items',
    summary: 'List the pay of instructors',
    get: { summary: 'Get the pay for a session', description: OWN },
    description: OWN,
    who: STAFF,
    filters: {
      events: any('event_id'),
      instructors: any('instructor_id'),
      instructor_pay_rates: any('instructor_pay_rate_id'),
      instructor_pay_periods: any('instructor_pay_period_id'),
      venues: filter(listOf(id()), (t, ids) => ofEvent(t, sql`e.venue_id = ANY(${ids}::bigint[])`)),
      offering_types: filter(listOf(id()), (t, ids) => ofEvent(t, sql`e.offering_type_id = ANY(${ids}::bigint[])`)),
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${statusOf(t)} = ANY(${wanted}::text[])`),
      covered: filter(
        boolean().describe('Whether a rate covers the session.'),
        (t, wanted) => sql`(${raw(t)}.instructor_pay_rate_id IS NOT NULL) = ${wanted}::boolean`,
      ),
      starts_at_gte: starts('>=', 'starts_at_gte'),
      starts_at_lte: starts('<=', 'starts_at_lte'),
    },
    sort: {
      id: { by: (t) => raw(`${t}.id`) },
      starts_at: {
        by: (t) =>
          raw(`(SELECT e.starts_at FROM event e WHERE e.provider_id = ${t}.provider_id AND e.id = ${t}.event_id)`),
      },
    },
  }),
  explain,
];
