/**
 * Calculates the pay of instructors once a session has ended. A calculated item keeps its terms: if bookings change
 * afterwards, they are counted again, but by the same rate.
 */
import { explainRate, rateFor } from './rules/select-rate.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { instructorPayItemFeed } from './feed.ts';
import { payFor, type Step, type Terms } from './rules/pay.ts';
import { readRates, readTaught, type Rate, type TaughtSession } from './facts.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export type ItemRow = Row<'instructor_pay_item', { readonly terms: Terms | null; readonly explanation: Explanation }>;

interface Explanation {
  /** reason for this rate, or for none */
  readonly because: string;
  /** their amounts sum to the pay */
  readonly steps: readonly Step[];
}

type Outcome = Pick<
  ItemRow,
  'instructor_pay_rate_id' | 'rate_version' | 'terms' | 'pay_minor' | 'counted' | 'explanation'
>;

const NOT_COVERED: Outcome = {
  instructor_pay_rate_id: null,
  rate_version: null,
  terms: null,
  pay_minor: null,
  counted: null,
  explanation: { because: 'No pay rate covers this session.', steps: [] },
};

/** Returns the result for one instructor. `kept`: the earlier item, if its terms still apply. */
function outcomeOf(
  taught: TaughtSession,
  rates: readonly Rate[],
  kept: ItemRow | undefined,
  currency: string,
): Outcome {
  if (kept?.terms) {
    const { minor, counted, steps } = payFor(kept.terms, taught, currency);
    return { ...kept, pay_minor: minor, counted, explanation: { because: kept.explanation.because, steps } };
  }
  const { rate, rivals } = rateFor(rates, taught);
  if (!rate) return NOT_COVERED;
  const { minor, counted, steps } = payFor(rate.terms, taught, currency);
  return {
    instructor_pay_rate_id: rate.id,
    rate_version: rate.version,
    terms: rate.terms,
    pay_minor: minor,
    counted,
    explanation: { because: explainRate(rate, rivals), steps },
  };
}

const sameOutcome = (a: Outcome, b: Outcome): boolean =>
  a.instructor_pay_rate_id === b.instructor_pay_rate_id &&
  a.rate_version === b.rate_version &&
  a.pay_minor === b.pay_minor &&
  a.counted === b.counted &&
  a.explanation.because === b.explanation.because &&
  JSON.stringify(a.explanation.steps.map(said)) === JSON.stringify(b.explanation.steps.map(said));

/** Returns a step as an array, because the database stores the keys of an object in its own order. */
const said = ({ name, minor, text }: Step) => [name, minor, text];

const keyOf = (event: number, instructor: number): string => `${event}:${instructor}`;

interface Options {
  /** true to use the current rates, even if a rate was chosen before */
  readonly anew?: boolean;
  /** only these instructors */
  readonly instructors?: readonly number[];
}

/**
 * Updates the pay for these events to their current state; the caller has locked the progress. Returns the number of
 * changed items.
 */
export async function calculate(
  work: Work,
  events: readonly number[],
  { anew = false, instructors }: Options = {},
): Promise<number> {
  if (events.length === 0) return 0;
  const { tx, providerId, tenant } = work;
  const [taught, rates, stored] = await Promise.all([
    readTaught(work, events),
    readRates(work),
    tx.rows<ItemRow & Record<string, unknown>>(
      sql`SELECT * FROM instructor_pay_item WHERE provider_id = ${providerId} AND event_id = ANY(${events}::bigint[])
        ORDER BY id`,
    ),
  ]);
  const asked = (instructor: number): boolean => instructors === undefined || instructors.includes(instructor);
  const before = new Map(stored.map((item) => [keyOf(item.event_id, item.instructor_id), item]));
  const now = new Set(taught.map(({ event, instructor }) => keyOf(event, instructor)));
  const gone = stored.filter(
    (item) =>
      asked(item.instructor_id) &&
      item.instructor_pay_period_id === null &&
      !now.has(keyOf(item.event_id, item.instructor_id)),
  );
  const made: Made[] = [];
  const changed: Changed[] = [];
  for (const session of taught.filter(({ instructor }) => asked(instructor))) {
    const item = before.get(keyOf(session.event, session.instructor));
    if (item && item.instructor_pay_period_id !== null) continue;
    const outcome = outcomeOf(session, rates, anew ? undefined : item, tenant.currency);
    if (!item) made.push({ session, outcome });
    else if (!sameOutcome(item, outcome)) changed.push({ item, outcome });
  }
  await remove(work, gone);
  await insert(work, made);
  await change(work, changed);
  return gone.length + made.length + changed.length;
}

interface Made {
  readonly session: TaughtSession;
  readonly outcome: Outcome;
}

interface Changed {
  readonly item: ItemRow;
  readonly outcome: Outcome;
}

async function remove(work: Work, items: readonly ItemRow[]): Promise<void> {
  if (items.length === 0) return;
  for (const item of items) {
    work.touch('instructor_pay_item', item.id, { ...item });
    work.record(instructorPayItemFeed.removed, item.id, payloadOf(item.id, item));
    tell(work, 'pay_removed', item.id, item, item, null);
  }
  await work.tx.run(
    sql`DELETE FROM instructor_pay_item WHERE provider_id = ${work.providerId}
      AND id = ANY(${items.map(({ id }) => id)}::bigint[])`,
  );
}

/** Returns the columns of results, for `unnest`. */
const arraysOf = (outcomes: readonly Outcome[]) => sql`
  ${outcomes.map((one) => one.instructor_pay_rate_id)}::bigint[], ${outcomes.map((one) => one.rate_version)}::int[],
  ${outcomes.map((one) => one.terms && json(one.terms))}::jsonb[], ${outcomes.map((one) => one.pay_minor)}::bigint[],
  ${outcomes.map((one) => one.counted)}::int[], ${outcomes.map((one) => json(one.explanation))}::jsonb[]`;

async function insert(work: Work, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return;
  const at = instant(work.now);
  const rows = await work.tx.rows<{ id: number; event_id: number; instructor_id: number }>(sql`
    INSERT INTO instructor_pay_item (provider_id, event_id, instructor_id, instructor_pay_rate_id, rate_version, terms,
      pay_minor, counted, explanation, calculated_at, created_at, updated_at)
    SELECT ${work.providerId}, n.*, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${made.map(({ session }) => session.event)}::bigint[],
      ${made.map(({ session }) => session.instructor)}::bigint[],
      ${arraysOf(made.map(({ outcome }) => outcome))}) n
    RETURNING id, event_id, instructor_id`);
  const outcomes = new Map(made.map(({ session, outcome }) => [keyOf(session.event, session.instructor), outcome]));
  for (const row of rows) {
    work.touch('instructor_pay_item', row.id, null);
    work.record(instructorPayItemFeed.calculated, row.id, payloadOf(row.id, row));
    tell(work, 'pay_calculated', row.id, row, null, outcomes.get(keyOf(row.event_id, row.instructor_id))!);
  }
}

async function change(work: Work, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  for (const { item, outcome } of changed) {
    work.touch('instructor_pay_item', item.id, { ...item });
    work.record(instructorPayItemFeed.calculated, item.id, payloadOf(item.id, item));
    tell(work, 'pay_calculated', item.id, item, item, outcome);
  }
  const at = instant(work.now);
  await work.tx.run(sql`
    UPDATE instructor_pay_item i SET instructor_pay_rate_id = n.rate, rate_version = n.version, terms = n.terms,
      pay_minor = n.pay,
      counted = n.counted, explanation = n.explanation, calculated_at = ${at}, updated_at = ${at}
    FROM unnest(${changed.map(({ item }) => item.id)}::bigint[], ${arraysOf(changed.map(({ outcome }) => outcome))})
      AS n (id, rate, version, terms, pay, counted, explanation)
    WHERE i.provider_id = ${work.providerId} AND i.id = n.id`);
}

type Whose = Pick<ItemRow, 'event_id' | 'instructor_id'>;

const payloadOf = (item: number, { event_id, instructor_id }: Whose) => ({
  instructor_pay_item: item,
  event: event_id,
  instructor: instructor_id,
});

function tell(work: Work, effect: string, item: number, whose: Whose, from: Outcome | null, to: Outcome | null): void {
  const { currency } = work.tenant;
  const pay = (of: Outcome | null): string | null =>
    of === null || of.pay_minor === null ? null : formatDecimal({ minor: of.pay_minor, currency });
  work.effect(effect, 'instructor_pay_item', item, {
    event: whose.event_id,
    instructor: whose.instructor_id,
    pay_before: pay(from),
    pay: pay(to),
  });
}
