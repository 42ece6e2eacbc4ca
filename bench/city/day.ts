/**
 * The day itself, through HTTP only: customers are created, book, join waitlists, cancel and check in. Records the
 * response to each.
 */
import { Latencies } from '../kit/latencies.ts';
import { load, type WireRequest } from '../kit/load.ts';
import { people, random, shuffled, wishes, type Wish } from './plan.ts';

export interface Caller {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly token: string;
}

export interface DayPlan {
  readonly customers: number;
  readonly bookings: number;
  readonly seed: number;
  /** events with places that begin in this period, in epoch milliseconds */
  readonly from: number;
  readonly to: number;
  readonly connections: number;
}

export interface EventOnDay {
  readonly id: number;
  readonly venue: number;
}

/** The outcome of a wish, as far as the responses said. */
export type Outcome = 'booked' | 'cancelled' | 'late_cancelled' | 'attended' | 'refused' | 'full' | 'waiting' | 'left';

export interface Errand {
  readonly wish: Wish;
  readonly customer: number;
  readonly event: number;
  readonly venue: number;
  outcome: Outcome;
  attendance?: number;
  spot?: number;
  checkin?: number;
}

export interface DayResult {
  readonly events: number;
  readonly customers: number;
  readonly errands: readonly Errand[];
  /** by purpose */
  readonly requests: Readonly<Record<string, number>>;
  /** by code */
  readonly refusals: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** milliseconds, over all requests */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

interface Step {
  readonly what: string;
  readonly request: WireRequest;
  on(answer: Answer): void;
}

/** Refusals that the rules allow; any other response ends the day. */
const REFUSALS = new Set(['event_full', 'age_too_low', 'age_too_high']);

export async function liveTheDay(caller: Caller, plan: DayPlan): Promise<DayResult> {
  const day = new Day(caller, plan);
  const events = await eventsBetween(caller, plan);
  if (events.length === 0) throw new Error('no event with places begins in that time');
  const customers = await day.enter(plan);
  const errands = wishes(plan.bookings, customers.length, events.length, plan.seed).map((wish): Errand => ({
    wish,
    customer: customers[wish.customer],
    event: events[wish.event].id,
    venue: events[wish.event].venue,
    outcome: 'refused',
  }));
  const next = random(plan.seed + 1);
  // Places are freed while others still arrive, and check-ins follow the bookings.
  const [early, later, last] = [
    errands.slice(0, plan.bookings * 0.6),
    errands.slice(plan.bookings * 0.6, plan.bookings * 0.8),
    errands.slice(plan.bookings * 0.8),
  ];
  await day.go(early.map((e) => day.book(e)));
  await day.go(shuffled([...later.map((e) => day.book(e)), ...day.joining(early)], next));
  await day.go(
    shuffled(
      [...last.map((e) => day.book(e)), ...day.joining(later), ...day.cancelling(early), ...day.leaving(early)],
      next,
    ),
  );
  await day.go(shuffled([...day.joining(last), ...day.cancelling(later), ...day.leaving(later)], next));
  await day.go(shuffled([...day.coming(errands), ...day.checkingIn(errands)], next));
  return { ...day.figures(), events: events.length, customers: customers.length, errands };
}

/** Returns events with a number of places, in order of their start. */
async function eventsBetween({ url, token }: Caller, { from, to }: DayPlan): Promise<EventOnDay[]> {
  const found: EventOnDay[] = [];
  const query = new URLSearchParams({
    starts_at_gte: new Date(from).toISOString(),
    starts_at_lte: new Date(to).toISOString(),
    fields: 'id,venue,max_occupancy',
    page_size: '250',
    status: 'active',
  });
  for await (const event of pages<EventOnDay & { max_occupancy: number | null }>(
    { url, token },
    `/api/v2/events?${query}`,
  )) {
    if (event.max_occupancy !== null) found.push({ id: event.id, venue: event.venue });
  }
  return found;
}

/** Yields all results of a list, page by page. */
export async function* pages<T>({ url, token }: Caller, path: string): AsyncGenerator<T> {
  for (let at: string | null = path; at !== null;) {
    const answer: Response = await fetch(url + at, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${at} answers ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { next: string | null; results: T[] };
    yield* page.results;
    const next: URL | null = page.next === null ? null : new URL(page.next);
    at = next && next.pathname + next.search;
  }
}

class Day {
  readonly #caller: Caller;
  readonly #connections: number;
  /** `YYYY-MM-DD`, in UTC */
  readonly #today: string;
  readonly #latencies = new Latencies();
  readonly #requests: Record<string, number> = {};
  readonly #refusals: Record<string, number> = {};
  #seconds = 0;

  constructor(caller: Caller, { connections, from }: DayPlan) {
    this.#caller = caller;
    this.#connections = connections;
    this.#today = new Date(from).toISOString().slice(0, 10);
  }

  figures(): Pick<DayResult, 'requests' | 'refusals' | 'seconds' | 'p50' | 'p99' | 'max'> {
    const { p50, p99, max } = this.#latencies.summary();
    return { requests: this.#requests, refusals: this.#refusals, seconds: this.#seconds, p50, p99, max };
  }

  /** Runs all steps, as many in parallel as there are connections; throws at the first unexpected response. */
  async go(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0) return;
    const { seconds, errors } = await load({
      url: this.#caller.url,
      connections: this.#connections,
      requests: steps.length,
      next: (i) => steps[i].request,
      collect: ({ i, status, body, ms }) => {
        const { what, on } = steps[i];
        this.#latencies.add(ms);
        this.#requests[what] = (this.#requests[what] ?? 0) + 1;
        on({ status, body: JSON.parse(body.toString()) });
      },
    });
    this.#seconds += seconds;
    if (errors > 0) throw new Error(`${errors} requests got no answer`);
  }

  async enter({ customers, seed }: DayPlan): Promise<number[]> {
    const ids: number[] = [];
    const entered = people(customers, seed, this.#today);
    await this.go(
      entered.map((person, i) =>
        this.#step('customer', '/customers', { ...person, send_invitation_email: false }, (answer) => {
          if (answer.status !== 201) throw unexpected('customer', answer);
          ids[i] = answer.body.id;
        }),
      ),
    );
    return ids;
  }

  book(errand: Errand): Step {
    return this.#onEvent('register', errand, (answer) => {
      if (answer.status === 200) {
        errand.outcome = 'booked';
        errand.attendance = answer.body.attendance;
        return;
      }
      const { code } = answer.body;
      if (!REFUSALS.has(code)) throw unexpected('register', answer);
      this.#refusals[code] = (this.#refusals[code] ?? 0) + 1;
      errand.outcome = code === 'event_full' ? 'full' : 'refused';
    });
  }

  joining(errands: readonly Errand[]): Step[] {
    return errands
      .filter((e) => e.outcome === 'full' && e.wish.waits)
      .map((errand) =>
        this.#onEvent('join_waitlist', errand, (answer) => {
          if (answer.status === 200 || answer.status === 201) {
            errand.outcome = 'waiting';
            errand.spot = answer.body.id;
          } else if (answer.body.code !== 'waitlist_not_needed') {
            // A customer may have cancelled in between, with an empty waitlist: then there is nothing to wait for.
            throw unexpected('join_waitlist', answer);
          }
        }),
      );
  }

  leaving(errands: readonly Errand[]): Step[] {
    return errands
      .filter((e) => e.outcome === 'waiting' && e.wish.thenLeaves)
      .map((errand) =>
        this.#onEvent('leave_waitlist', errand, (answer) => {
          if (answer.status === 200) errand.outcome = 'left';
          // Promoted a moment before: the booking remains.
          else if (answer.body.code !== 'not_on_waitlist') throw unexpected('leave_waitlist', answer);
        }),
      );
  }

  cancelling(errands: readonly Errand[]): Step[] {
    return errands
      .filter((e) => e.outcome === 'booked' && e.wish.thenCancels)
      .map((errand) =>
        this.#onEvent('unregister', errand, (answer) => {
          if (answer.status !== 200) throw unexpected('unregister', answer);
          errand.outcome = answer.body.late ? 'late_cancelled' : 'cancelled';
        }),
      );
  }

  coming(errands: readonly Errand[]): Step[] {
    return errands
      .filter((e) => e.outcome === 'booked' && e.wish.thenComes)
      .map((errand) =>
        this.#onEvent('confirm_attendance', errand, (answer) => {
          if (answer.status !== 200 || answer.body.id !== errand.attendance)
            throw unexpected('confirm_attendance', answer);
          errand.outcome = 'attended';
        }),
      );
  }

  checkingIn(errands: readonly Errand[]): Step[] {
    return errands
      .filter((e) => e.wish.checksIn)
      .map((errand) =>
        this.#step(
          'checkin',
          '/checkins',
          { customer: errand.customer, venue: errand.venue, date: this.#today },
          (answer) => {
            if (answer.status !== 200 && answer.status !== 201) throw unexpected('checkin', answer);
            errand.checkin = answer.body.id;
          },
        ),
      );
  }

  #onEvent(action: string, errand: Errand, on: (answer: Answer) => void): Step {
    return this.#step(action, `/events/${errand.event}/${action}`, { customer: errand.customer }, on);
  }

  #step(what: string, path: string, body: unknown, on: (answer: Answer) => void): Step {
    const headers = { authorization: `Bearer ${this.#caller.token}`, host: new URL(this.#caller.url).host };
    return { what, request: { method: 'POST', path: `/api/v2${path}`, headers, body }, on };
  }
}

const unexpected = (what: string, { status, body }: Answer): Error =>
  new Error(`${what} was answered ${status}: ${JSON.stringify(body).slice(0, 400)}`);
