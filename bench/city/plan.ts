/**
 * The wishes of the day, generated before the first request: the same seed and schedule give the same wishes. Their
 * outcome depends on who comes first. Pure.
 */
import { addDays } from '../../server/kernel/base/values/zone.ts';

export interface Wish {
  /** position in the list of customers */
  readonly customer: number;
  /** position in the list of events */
  readonly event: number;
  /** joins the waitlist if the event is full */
  readonly waits: boolean;
  readonly thenLeaves: boolean;
  /** cancels afterwards, if the booking was made */
  readonly thenCancels: boolean;
  readonly thenComes: boolean;
  /** also checks in at the desk of the venue, in addition to the event */
  readonly checksIn: boolean;
}

export interface Person {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  /** `YYYY-MM-DD` */
  readonly date_of_birth: string;
}

/** Returns random numbers from 0 to 1, exclusive: mulberry32, small and the same on every platform. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns people aged 3 to 84 on `today`. */
export function people(n: number, seed: number, today: string): Person[] {
  const next = random(seed);
  return Array.from({ length: n }, (_, i) => ({
    first_name: `First${i}`,
    last_name: `Last${i}`,
    email: `person${i}.${seed}@example.com`,
    date_of_birth: addDays(today, -Math.floor((3 + next() * 82) * 365.25)),
  }));
}

/** The cube gives a tenth of the events almost half of the wishes, so that the popular ones fill up. */
const POPULARITY = 3;

/**
 * Returns `n` wishes, no two of the same customer for the same event. @throws RangeError if there are not that many
 * pairs
 */
export function wishes(n: number, customers: number, events: number, seed: number): Wish[] {
  if (n > (customers * events) / 2)
    throw new RangeError(`${customers} customers and ${events} events are too few for ${n} different bookings`);
  const next = random(seed);
  const popular = shuffled(
    Array.from({ length: events }, (_, i) => i),
    next,
  );
  const seen = new Set<number>();
  const made: Wish[] = [];
  while (made.length < n) {
    const [customer, event] = [Math.floor(next() * customers), popular[Math.floor(next() ** POPULARITY * events)]];
    const often = [next(), next(), next(), next(), next()];
    if (seen.has(customer * events + event)) continue;
    seen.add(customer * events + event);
    made.push({
      customer,
      event,
      waits: often[0] < 0.8,
      thenLeaves: often[1] < 0.06,
      thenCancels: often[2] < 0.2,
      thenComes: often[3] < 0.4,
      checksIn: often[4] < 0.05,
    });
  }
  return made;
}

/** Returns a copy of the list in random order. */
export function shuffled<T>(list: readonly T[], next: () => number): T[] {
  const result = [...list];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
