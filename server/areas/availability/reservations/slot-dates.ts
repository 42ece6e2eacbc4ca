/**
 * Dates of a recurring reservation that book free times of an appointment or a rental: each gets an event of its own,
 * created and booked as in `POST /slots/{id}/register`. All rooms and then instructors that may be needed are locked
 * together, and their free times are read once for all dates: the dates are days apart, so they don't conflict with
 * each other.
 */
import { addDays, formatWall, instantOfWall, startOfDay, wallAt } from '../../../kernel/base/values/zone.ts';
import { asCustomer, bookedBeside, DATES_AT_ONCE, itemOf, type DateToBook, type Supply } from './supply.ts';
import {
  chooseAt,
  createHeld,
  findSlots,
  nearestTo,
  readLanes,
  readSlotSettings,
  verdictsAt,
  type Lanes,
  type Wanted,
} from '../slots/index.ts';
import { id, text } from '../../../kernel/base/fields/kinds.ts';
import { firstStep, MAX_MOVED, plannedDates, type DateFacts } from './rules/standing.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockUses, payers, plannedWindow, readPlanned, register } from '../../scheduling/schedule/index.ts';
import { notOffered, overlapping } from './problems.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { localizeProblem, type DateResult, type ReservationRow, type StoredProblem } from './rows.ts';
import { wordingFor, type Wording } from '../../../kernel/base/values/wording.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Times are booked this far ahead, and further as time passes: as far as the events of a series are created. */
const DAYS_AHEAD = 366;
/** Dates that are examined in addition to those still to be booked, in case some can't be: a quarter. */
const SPARE_DATES = 13;
const DAY = 86_400_000;

interface WantedDate extends Wanted {
  readonly date: string;
  readonly endsAt: number;
}

interface Offered {
  readonly zone: string;
  readonly kind: 'appointment' | 'room_rental';
  /** minutes; null: nothing is offered at present */
  readonly duration: number | null;
}

/** `decided`: dates that remain unchanged. `left`: number of dates that may still be booked. */
export async function slotDates(
  work: Work,
  row: ReservationRow,
  { decided, left }: { decided: ReadonlySet<string>; left: number },
): Promise<Supply> {
  const offered = await offeredTo(work, row);
  const today = wallAt(work.now, offered.zone).date;
  const first = row.start_date > today ? row.start_date : today;
  const planned = plannedDates(row, { from: first, until: addDays(first, DAYS_AHEAD) });
  const undecided = planned.dates.filter((date) => !decided.has(date));
  const looked = undecided.slice(0, Math.min(DATES_AT_ONCE, left + SPARE_DATES));
  const nextAt = planned.next === null ? null : startOfDay(addDays(planned.next, -DAYS_AHEAD), offered.zone);
  if (offered.duration === null) return { dates: [], more: false, nextAt: work.now + DAY };
  const wanted = looked.map((date) => wantedOn(row, date, offered)).filter(({ startsAt }) => startsAt > work.now);
  return { dates: await triedDates(work, row, wanted, offered), more: looked.length < undecided.length, nextAt };
}

async function offeredTo({ tx, providerId }: Work, row: ReservationRow): Promise<Offered> {
  const found = await tx.one<Offered & Record<string, unknown>>(sql`
    SELECT v.timezone AS zone, o.schedule_type AS kind,
      CASE WHEN o.status = 'active' AND NOT v.archived THEN o.slot_duration END AS duration
    FROM offering_type o JOIN venue v ON v.provider_id = o.provider_id AND v.id = ${row.venue_id}
    WHERE o.provider_id = ${providerId} AND o.id = ${row.offering_type_id}`);
  return found!;
}

/** Returns the wanted time on a date: the reservation's own, or the one that the date was moved to. */
function wantedOn(row: ReservationRow, date: string, { zone, kind, duration }: Offered): WantedDate {
  const moved = row.moved_dates.find((one) => one.date === date);
  const startsAt = instantOfWall(moved?.local_starts_at ?? `${date}T${row.local_time.slice(0, 5)}:00`, zone);
  const instructor = moved?.instructor ?? row.instructor_id;
  const room = moved?.venue_room ?? row.venue_room_id;
  return {
    date,
    venue: row.venue_id,
    instructor,
    anyInstructor: instructor === null && kind === 'appointment',
    room,
    anyRoom: room === null,
    startsAt,
    endsAt: startsAt + (duration ?? 0) * 60_000,
  };
}

async function triedDates(
  work: Work,
  row: ReservationRow,
  wanted: readonly WantedDate[],
  { zone }: Offered,
): Promise<DateToBook[]> {
  if (wanted.length === 0) return [];
  const byCustomer = asCustomer(work, row);
  const [beside, windows] = await Promise.all([
    besides(work, row, wanted),
    byCustomer ? windowsOf(work, row, wanted, zone) : null,
  ]);
  const facts = wanted.map((_, n): DateFacts => ({
    hasSeat: beside[n].mine !== null,
    overlaps: beside[n].beside !== null,
    byCustomer,
    opensAt: windows === null ? null : windows[n].opensAt,
    now: work.now,
  }));
  const look = await lookAt(
    work,
    row,
    wanted.filter((_, n) => firstStep(facts[n]) === 'try'),
  );
  return wanted.map((one, n) => ({
    date: one.date,
    book: async () => {
      const of = { date: one.date, event: null, startsAt: one.startsAt, zone, opensAt: null, reasons: [] };
      const refused = (reason: StoredProblem): DateResult => ({ ...of, outcome: 'unavailable', reasons: [reason] });
      const step = firstStep(facts[n]);
      // A customer who can't see the offer is not told about it.
      if (windows?.[n].hidden) return null;
      if (step === 'already_booked') return { ...of, outcome: step, event: beside[n].mine };
      if (step === 'opens_later') return { ...of, outcome: step, opensAt: facts[n].opensAt };
      if (step === 'overlapping') return refused(overlapping(beside[n].beside!, work.tenant.words));
      const taken = await take(work, row, one, look!);
      return typeof taken === 'number' ? { ...of, outcome: 'booked', event: taken } : refused(taken);
    },
  }));
}

interface Beside {
  /** id of the event that the customer has booked at exactly this time */
  readonly mine: number | null;
  /** name of another event that they have booked then */
  readonly beside: string | null;
}

/** Reads them in one statement, in order. */
const besides = ({ tx, providerId }: Work, row: ReservationRow, wanted: readonly WantedDate[]): Promise<Beside[]> =>
  tx.rows<Beside & Record<string, unknown>>(sql`
    SELECT (SELECT e.id FROM attendance a JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
        WHERE a.provider_id = w.provider_id AND a.customer_id = ${row.customer_id}
          AND a.status IN ('registered', 'attended') AND e.status = 'active'
          AND e.offering_type_id = ${row.offering_type_id} AND e.venue_id = ${row.venue_id}
          AND e.starts_at = w.starts_at LIMIT 1) AS mine,
      ${bookedBeside('w', row.customer_id)} AS beside
    FROM (SELECT ${providerId}::bigint AS provider_id, NULL::bigint AS id, starts_at, ends_at, n FROM unnest(
      ${wanted.map((one) => instant(one.startsAt))}::timestamptz[],
      ${wanted.map((one) => instant(one.endsAt))}::timestamptz[]) WITH ORDINALITY AS t (starts_at, ends_at, n)) w
    ORDER BY w.n`);

interface WindowOf {
  readonly opensAt: number | null;
  readonly hidden: boolean;
}

/** Returns when the customer can book each date, and if they can see the offer at all. */
async function windowsOf(
  work: Work,
  row: ReservationRow,
  wanted: readonly WantedDate[],
  zone: string,
): Promise<WindowOf[]> {
  const asked = wanted.map(({ venue, startsAt, endsAt }) => ({
    offeringType: row.offering_type_id,
    venue,
    zone,
    startsAt,
    endsAt,
  }));
  const [planned, { horizon_days }] = await Promise.all([
    readPlanned(work, asked, row.customer_id),
    readSlotSettings(work),
  ]);
  return planned.map(({ around, who }, n) => {
    const window = who && plannedWindow(around, who, wanted[n].startsAt);
    const hidden = around.hidden || (around.membersOnly && !(who && payers.filled.showsToMember(who.known)));
    const inReach = wanted[n].startsAt - horizon_days * DAY;
    return { opensAt: window && Math.max(window.opensAt, window.calendarOpensAt, inReach), hidden };
  });
}

interface Look {
  readonly lanes: Lanes;
  /** for a customer's own reservation, the times that are offered; null: staff may book any time */
  readonly offered: ReadonlySet<string> | null;
}

const keyOf = (startsAt: number, instructor: number | null): string => `${startsAt} ${instructor}`;

/** Undefined means all of them, because one of the dates accepts any. */
const idsOf = (all: readonly (number | null)[]): number[] | undefined =>
  all.includes(null) ? undefined : [...new Set(all.filter((id) => id !== null))];

/**
 * Reads what is free at these times after locking everything that may be needed: it stays free until the transaction
 * ends.
 */
async function lookAt(work: Work, row: ReservationRow, wanted: readonly WantedDate[]): Promise<Look | null> {
  if (wanted.length === 0) return null;
  const days = wanted.map(({ startsAt }) => formatWall(startsAt, 'UTC').slice(0, 10)).toSorted();
  const asked = {
    offeringType: row.offering_type_id,
    venues: [row.venue_id],
    instructors: idsOf(wanted.map((one) => one.instructor)),
    rooms: idsOf(wanted.map((one) => one.room)),
    // The dates around it include each time in every zone.
    from: addDays(days[0], -1),
    to: addDays(days.at(-1)!, 1),
  };
  const before = await readLanes(work, asked);
  await lockUses(
    work,
    before.lanes.flatMap((lane) => lane.rooms ?? []),
    before.lanes.flatMap((lane) => lane.instructor ?? []),
  );
  // Concurrent transactions that came first have committed, and are visible.
  const lanes = await readLanes(work, asked);
  if (!asCustomer(work, row)) return { lanes, offered: null };
  const { slots } = await findSlots(work, { ...asked, customer: null });
  return { lanes, offered: new Set(slots.map((slot) => keyOf(slot.startsAt, slot.instructor))) };
}

/** Creates and books the event of one date. Returns its id, or the reason why it can't be booked. */
async function take(
  work: Work,
  row: ReservationRow,
  wanted: WantedDate,
  { lanes, offered }: Look,
): Promise<number | StoredProblem> {
  // The opening time was checked before, and the customer's window is checked with the booking.
  const notice = work.now + lanes.offering.settings.minimum_notice * 60_000;
  const bounds = { notBefore: notice, notice, closes: 0, notAfter: Infinity, horizon: Infinity, opens: Infinity };
  const asker = { now: work.now, byStaff: !asCustomer(work, row), bounds };
  const chosen = chooseAt(lanes, wanted, asker);
  if (!chosen) {
    const against = verdictsAt(lanes, wanted, asker).find((verdict) => !verdict.passed);
    return against ? toldAs(work, against.code, against.message) : notOffered(work.tenant.words);
  }
  if (offered && !offered.has(keyOf(wanted.startsAt, chosen.lane.instructor))) return notOffered(work.tenant.words);
  let made: { own: Work; event: number } | undefined;
  try {
    await work.tx.attempt(async () => {
      // A separate work: nothing that a refused attempt recorded is kept.
      const own = work.beside();
      const event = await createHeld(own, { lanes, chosen }, wanted, 1);
      const [result] = await register(own.tx, [{ ...itemOf(own, row), made: true }], { event, commit: false });
      if (result instanceof Error) throw result;
      made = { own, event };
    });
    work.take(made!.own);
    return made!.event;
  } catch (error) {
    if (error instanceof Problem) return localizeProblem(work, error);
    throw error;
  }
}

const toldAs = ({ tenant: { words } }: Work, code: string, message: Wording): StoredProblem => ({
  code,
  staff: wordingFor('staff', message, words),
  customer: wordingFor('customer', message, words),
});

export const alternative = {
  local_starts_at: text(),
  instructor: id().nullable(),
  venue_room: id().nullable(),
};

/** The alternatives are a list for people to choose from, and each costs a search of its own. */
const MAX_ANSWERED = 10;

/** Returns the nearest free times in place of those that could not be booked, by date. */
export async function alternativesTo(work: Work, row: ReservationRow, dates: readonly DateResult[]) {
  const offered = await offeredTo(work, row);
  const missed = dates.filter(({ outcome }) => outcome === 'unavailable').slice(0, MAX_ANSWERED);
  const found = await Promise.all(
    missed.map(async ({ date }) => {
      const wanted = { ...wantedOn(row, date, offered), offeringType: row.offering_type_id };
      const around = { from: addDays(date, -MAX_MOVED), to: addDays(date, MAX_MOVED) };
      const { nearest } = await nearestTo(work, wanted, around);
      const shown = nearest.map(({ startsAt, instructor, anyInstructor, room, anyRoom }) => ({
        local_starts_at: formatWall(startsAt, offered.zone),
        instructor: anyInstructor ? null : instructor,
        venue_room: anyRoom ? null : room,
      }));
      return [date, shown] as const;
    }),
  );
  return new Map(found);
}
