/**
 * Books the dates of a recurring reservation, by the schedule's own rules and with its own function. The row of the
 * reservation is locked by the caller; then come the events together, by id, then the customer and what pays.
 */
import { afterRefusal, counts, firstStep, timesLeft } from './rules/standing.ts';
import { appliesTo, dayOf, toldOf, writeDates, type DateResult, type ReservationRow, type Told } from './rows.ts';
import { dateUnavailable } from './feed.ts';
import { instant, sql } from '../../../kernel/db/sql.ts';
import { overlapping } from './problems.ts';
import { Problem } from '../../../kernel/api/problem.ts';
import { joinWaitlist, lockToBook, payers, readAhead, register, type Ahead } from '../../scheduling/schedule/index.ts';
import type { Work } from '../../../kernel/work.ts';

/** Weekly events of a year, and some more: what is still missing then is booked by the job. */
const DATES_AT_ONCE = 60;

interface Candidate {
  readonly id: number;
  readonly date: string;
  readonly starts_at: number;
  readonly zone: string;
  /** name of another event at that time on which the customer is booked */
  readonly beside: string | null;
}

interface Kept {
  readonly date: string;
  readonly outcome: DateResult['outcome'];
  readonly status: 'active' | 'cancelled';
  readonly opens_at: number | null;
}

export interface Booked {
  /** in the order of their dates */
  readonly dates: readonly DateResult[];
  /** how many of the times are used up, and the last date of them */
  readonly taken: number;
  readonly lastDate: string | null;
  /** epoch ms; when booking opens for the next one that waits for it */
  readonly opensNext: number | null;
  /** not all were tried: there are too many for one transaction */
  readonly more: boolean;
}

/** `retry`: dates that could not be booked before are tried again. */
export async function bookDates(work: Work, row: ReservationRow, { retry = false } = {}): Promise<Booked> {
  const { tx, providerId } = work;
  // Booking has opened for them meanwhile: they are dates like any others.
  await tx.run(sql`DELETE FROM recurring_reservation_date WHERE provider_id = ${providerId} AND recurring_reservation_id = ${row.id}
    AND outcome = 'opens_later' AND opens_at <= ${instant(work.now)}`);
  const found = await candidates(work, row, retry);
  const byDate = [...Map.groupBy(found, ({ date }) => date)].slice(0, DATES_AT_ONCE);
  const events = byDate.flatMap(([, some]) => some.map(({ id }) => id));
  await lockToBook(
    work,
    events.map((event) => ({ event, customer: row.customer_id })),
  );
  const [ahead, kept] = await Promise.all([readAhead(work, events, row.customer_id), keptDates(work, row.id)]);
  const dates: DateResult[] = [];
  const used = kept.filter(({ outcome, status }) => counts(outcome, status)).map(({ date }) => date);
  for (const [, some] of byDate) {
    if (timesLeft({ times: row.times, taken: used.length }) === 0) break;
    const result = await bookDate(work, row, some, ahead);
    if (!result) continue;
    dates.push(result);
    if (counts(result.outcome, 'active')) used.push(result.date);
  }
  await writeDates(work, row.id, dates);
  for (const one of dates) tell(work, row, one);
  const waits = [...kept.map((one) => one.opens_at), ...dates.map((one) => one.opensAt)].filter((at) => at !== null);
  return {
    dates,
    taken: used.length,
    lastDate: used.toSorted().at(-1) ?? null,
    opensNext: waits.length > 0 ? Math.min(...waits) : null,
    more: byDate.length === DATES_AT_ONCE,
  };
}

/** Events that are to come, of dates that nothing was decided about. Several of one date take place side by side. */
const candidates = ({ tx, providerId, now }: Work, { id, customer_id }: ReservationRow, retry: boolean) =>
  tx.rows<Candidate>(sql`
    SELECT e.id, ${dayOf('e', 'r')} AS date, e.starts_at, e.timezone AS zone,
      (SELECT o.name FROM attendance a JOIN event o ON o.provider_id = a.provider_id AND o.id = a.event_id
       WHERE a.provider_id = e.provider_id AND a.customer_id = ${customer_id} AND a.status IN ('registered', 'attended') AND o.status = 'active'
         AND o.id <> e.id AND o.starts_at < e.ends_at AND o.ends_at > e.starts_at ORDER BY o.starts_at, o.id LIMIT 1) AS beside
    FROM recurring_reservation r JOIN event e ON ${appliesTo('e', 'r')}
    LEFT JOIN recurring_reservation_date d ON d.provider_id = r.provider_id AND d.recurring_reservation_id = r.id AND d.local_date = ${dayOf('e', 'r')}
    LEFT JOIN event known ON known.provider_id = d.provider_id AND known.id = d.event_id
    WHERE r.provider_id = ${providerId} AND r.id = ${id} AND e.status = 'active' AND e.starts_at > ${instant(now)}
      AND (d.id IS NULL OR known.status = 'cancelled' OR (${retry}::boolean AND d.outcome = 'unavailable'))
    ORDER BY date, e.id LIMIT ${DATES_AT_ONCE * 4}`);

const keptDates = ({ tx, providerId }: Work, reservation: number): Promise<Kept[]> =>
  tx.rows<Kept>(sql`
    SELECT d.local_date AS date, d.outcome, e.status, d.opens_at FROM recurring_reservation_date d
      JOIN event e ON e.provider_id = d.provider_id AND e.id = d.event_id
    WHERE d.provider_id = ${providerId} AND d.recurring_reservation_id = ${reservation} ORDER BY d.local_date`);

/** The first of the events of a date that can be booked; if none can, why the first of them can't. Null: none is shown. */
async function bookDate(
  work: Work,
  row: ReservationRow,
  some: readonly Candidate[],
  ahead: ReadonlyMap<number, Ahead>,
): Promise<DateResult | null> {
  let best: DateResult | null = null;
  for (const one of some) {
    const result = await bookEvent(work, row, one, ahead.get(one.id));
    if (result && (result.outcome === 'booked' || result.outcome === 'already_booked')) return result;
    best ??= result;
  }
  if (best?.reasons[0]?.code !== 'event_full' || afterRefusal('event_full', row.on_conflict) === 'leave_out')
    return best;
  return waitFor(work, row, best);
}

async function bookEvent(
  work: Work,
  row: ReservationRow,
  { id: event, date, starts_at: startsAt, zone, beside }: Candidate,
  known: Ahead | undefined,
): Promise<DateResult | null> {
  const of = { date, event, startsAt, zone, opensAt: null, reasons: [] };
  const refused = (told: Told): DateResult => ({ ...of, outcome: 'unavailable', reasons: [told] });
  const opensAt = known?.opensAt ?? null;
  const step = firstStep({
    hasSeat: known?.hasSeat ?? false,
    overlaps: beside !== null,
    byCustomer: asCustomer(work, row),
    opensAt,
    now: work.now,
  });
  if (step === 'already_booked') return { ...of, outcome: step };
  if (step === 'opens_later') return { ...of, outcome: step, opensAt };
  if (step === 'overlapping') return refused(overlapping(beside!, work.tenant.words));
  const item = {
    work,
    customer: row.customer_id,
    comped: row.comped,
    named: payers.filled.named({ customer_membership: row.customer_membership_id }),
    asCustomer: asCustomer(work, row),
    from: 'recurring_reservation' as const,
  };
  const [result] = await register(work.tx, [item], { event, commit: false });
  if (!(result instanceof Error)) return { ...of, outcome: 'booked' };
  if (!(result instanceof Problem)) throw result;
  // Who can't see the event is not told that it is there.
  return result.code === 'not_found' ? null : refused(toldOf(work, result));
}

/** The reservation of a customer books what the customer could book; so does a customer with that of anybody. */
const asCustomer = ({ viewer }: Work, { by_customer }: ReservationRow): boolean =>
  by_customer || viewer.mode === 'customer';

async function waitFor(work: Work, { customer_id: customer }: ReservationRow, full: DateResult): Promise<DateResult> {
  try {
    await joinWaitlist(work, full.event, customer, false);
    return { ...full, outcome: 'waitlisted' };
  } catch (error) {
    if (error instanceof Problem) return { ...full, reasons: [...full.reasons, toldOf(work, error)] };
    throw error;
  }
}

function tell(work: Work, { id, customer_id: customer }: ReservationRow, one: DateResult): void {
  const { event, date } = one;
  const reasons = one.reasons.map(({ code }) => code);
  if (one.outcome === 'unavailable') {
    work.record(dateUnavailable, id, { recurring_reservation: id, customer, event, date, reasons });
    work.effect('date_unavailable', 'event', event, { customer, date, reasons });
  }
  if (one.outcome === 'opens_later')
    work.effect('date_opens_later', 'event', event, {
      customer,
      date,
      registrations_open_at: instant(one.opensAt),
    });
}
