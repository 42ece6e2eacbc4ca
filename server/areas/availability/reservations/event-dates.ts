/** Dates of a recurring reservation that are existing events: each is booked by the schedule's own function. */
import { afterRefusal, firstStep } from './rules/standing.ts';
import { appliesTo, dayOf, localizeProblem, type DateResult, type ReservationRow, type StoredProblem } from './rows.ts';
import { asCustomer, bookedBeside, DATES_AT_ONCE, itemOf, type Supply } from './supply.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { joinWaitlist, lockToBook, readAhead, register, type Ahead } from '../../scheduling/schedule/index.ts';
import { overlapping } from './problems.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Candidate {
  readonly id: number;
  readonly date: string;
  readonly starts_at: number;
  readonly zone: string;
  /** name of another event at the same time that the customer has booked */
  readonly beside: string | null;
}

/** Locks the events together, by id; then the customer and everything that pays. */
export async function eventDates(work: Work, row: ReservationRow, retry: boolean): Promise<Supply> {
  const found = await candidates(work, row, retry);
  const byDate = [...Map.groupBy(found, ({ date }) => date)].slice(0, DATES_AT_ONCE);
  const events = byDate.flatMap(([, some]) => some.map(({ id }) => id));
  await lockToBook(
    work,
    events.map((event) => ({ event, customer: row.customer_id })),
  );
  const ahead = await readAhead(work, events, row.customer_id);
  return {
    dates: byDate.map(([date, some]) => ({ date, book: () => bookDate(work, row, some, ahead) })),
    more: byDate.length === DATES_AT_ONCE,
    nextAt: null,
  };
}

/** Returns upcoming events of dates that are not decided yet. One date may have several parallel events. */
const candidates = ({ tx, providerId, now }: Work, { id, customer_id }: ReservationRow, retry: boolean) =>
  tx.rows<Candidate>(sql`
    SELECT e.id, ${dayOf('e', 'r')} AS date, e.starts_at, e.timezone AS zone,
      ${bookedBeside('e', customer_id)} AS beside
    FROM recurring_reservation r JOIN event e ON ${appliesTo('e', 'r')}
    LEFT JOIN recurring_reservation_date d ON d.provider_id = r.provider_id AND d.recurring_reservation_id = r.id
      AND d.local_date = ${dayOf('e', 'r')}
    LEFT JOIN event known ON known.provider_id = d.provider_id AND known.id = d.event_id
    WHERE r.provider_id = ${providerId} AND r.id = ${id} AND e.status = 'active' AND e.starts_at > ${instant(now)}
      AND (d.id IS NULL OR known.status = 'cancelled' OR (${retry}::boolean AND d.outcome = 'unavailable'))
    ORDER BY date, e.id LIMIT ${DATES_AT_ONCE * 4}`);

/**
 * Books the first event of a date that can be booked. If none can, returns the reason for the first. Null if the
 * customer can see none of them.
 */
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
  const refused = (reason: StoredProblem): DateResult => ({ ...of, outcome: 'unavailable', reasons: [reason] });
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
  const [result] = await register(work.tx, [itemOf(work, row)], { event, commit: false });
  if (!(result instanceof Error)) return { ...of, outcome: 'booked' };
  if (!(result instanceof Problem)) throw result;
  // A customer who can't see the event is not told that it exists.
  return result.code === 'not_found' ? null : refused(localizeProblem(work, result));
}

async function waitFor(work: Work, { customer_id: customer }: ReservationRow, full: DateResult): Promise<DateResult> {
  try {
    await joinWaitlist(work, full.event!, customer, false);
    return { ...full, outcome: 'waitlisted' };
  } catch (error) {
    if (error instanceof Problem) return { ...full, reasons: [...full.reasons, localizeProblem(work, error)] };
    throw error;
  }
}
