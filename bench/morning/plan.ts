/**
 * The actions of the customers of thousands of businesses between six and nine in the morning, generated before the
 * first request: the same seed gives the same morning. The outcome depends on who comes first. Pure.
 */
import { random } from '../city/plan.ts';

/** Sessions of each business on the day, by start hour. The evening is the most popular. */
export const HOURS = [7, 9.5, 12, 17, 18, 19.5] as const;
export const HOT = HOURS.indexOf(18);
export const PLACES = 12;
/** Bookings in each session from the day before. */
export const BOOKED_BEFORE = 2;

const FROM = 6;
const TO = 9;
/** When booking of the evening opens; most of the customers who want it come immediately. */
const RUSH = 8;
const RUSH_SECONDS = 120;

/** Share of all people who browse in a morning. */
const LOOKING = 0.35;
const BOOKING = 0.1;
const EVENING = 0.45;
const IN_THE_RUSH = 0.5;
/** Share of those who got a place. */
const CANCELLING = 0.1;
/** How often a staff member reads the list of a morning session. */
const LISTS = 2;

export interface Town {
  readonly businesses: number;
  /** total number; at least as many as the sessions of a business have places */
  readonly people: number;
  /** share of the usual activity of customers and staff that takes place this morning */
  readonly acting: number;
}

export type Kind = 'look' | 'book' | 'cancel' | 'list' | 'come';

/** One action of a person. Cancellations and check-ins refer to the booking by its position in the list. */
export interface Deed {
  readonly kind: Kind;
  /** seconds since six o'clock */
  readonly at: number;
  /** index of the business, from 0 */
  readonly business: number;
  /** index of the person within the business, from 0 */
  readonly person: number;
  /** position in `HOURS` */
  readonly session: number;
  /** the booking that is cancelled: position in the list of deeds */
  readonly of?: number;
}

/** Returns the number of people of each business: most have few, some have many. */
export function sizes({ businesses, people }: Pick<Town, 'businesses' | 'people'>): number[] {
  const weights = Array.from({ length: businesses }, (_, rank) => (rank + 10) ** -0.7);
  const total = weights.reduce((a, b) => a + b, 0);
  const least = PLACES;
  const spare = people - least * businesses;
  if (spare < 0) throw new RangeError(`${people} people are too few for ${businesses} businesses`);
  return weights.map((weight) => least + Math.floor((spare * weight) / total));
}

/** Returns all actions of the morning in chronological order. */
export function deeds(town: Town, seed: number): Deed[] {
  const next = random(seed);
  const made: Deed[] = [];
  const of = sizes(town);
  // Activity is proportional to the number of people: so a person is drawn first, and with them their business.
  const owner: number[] = [];
  for (const [business, n] of of.entries()) for (let i = 0; i < n; i++) owner.push(business);
  const starts: number[] = [];
  let sum = 0;
  for (const n of of) {
    starts.push(sum);
    sum += n;
  }
  const draw = () => {
    const person = Math.floor(next() * owner.length);
    return { business: owner[person], person: person - starts[owner[person]] };
  };
  for (let i = 0; i < town.people * town.acting * LOOKING; i++)
    made.push({ kind: 'look', at: anyTime(next), ...draw(), session: 0 });
  const wanted = new Set<string>();
  for (let i = 0; i < town.people * town.acting * BOOKING; i++) {
    const evening = next() < EVENING;
    const session = evening ? HOT : Math.floor(next() * HOURS.length);
    const rush = evening && next() < IN_THE_RUSH;
    // Nobody books the same session twice.
    const who = draw();
    const key = `${who.business}:${who.person}:${session}`;
    const at = rush ? (RUSH - FROM) * 3600 + next() * RUSH_SECONDS : anyTime(next);
    const cancels = next() < CANCELLING;
    if (wanted.has(key) || who.person < BOOKED_BEFORE || at > startOf(session) - 600) continue;
    wanted.add(key);
    made.push({ kind: 'book', at, ...who, session });
    if (cancels) {
      const later = at + 60 + next() * 1800;
      if (later < Math.min((TO - FROM) * 3600, startOf(session)))
        made.push({ kind: 'cancel', at: later, ...who, session, of: made.length - 1 });
    }
  }
  for (let business = 0; business < town.businesses; business++) {
    if (next() >= town.acting) continue;
    const session = HOURS.indexOf(7);
    for (let i = 0; i < LISTS; i++)
      made.push({ kind: 'list', at: startOf(session) - 900 + next() * 1200, business, person: 0, session });
    for (let person = 0; person < BOOKED_BEFORE; person++)
      made.push({ kind: 'come', at: startOf(session) - 600 + next() * 900, business, person, session });
  }
  return inOrder(made);
}

const startOf = (session: number): number => (HOURS[session] - FROM) * 3600;

/** Returns a random time: increasing density until eight, then decreasing. */
function anyTime(next: () => number): number {
  const span = (TO - FROM) * 3600;
  const peak = (RUSH - FROM) / (TO - FROM);
  const u = next();
  const share = u < peak ? Math.sqrt(u * peak) : 1 - Math.sqrt((1 - u) * (1 - peak));
  return share * span;
}

/** Sorts by time, and updates the references of cancellations to their bookings. */
function inOrder(made: readonly Deed[]): Deed[] {
  const order = made.map((_, i) => i).toSorted((a, b) => made[a].at - made[b].at);
  const place = new Int32Array(made.length);
  for (const [to, from] of order.entries()) place[from] = to;
  return order.map((i) => (made[i].of === undefined ? made[i] : { ...made[i], of: place[made[i].of] }));
}
