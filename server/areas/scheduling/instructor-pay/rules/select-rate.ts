/** Rules for choosing a rate for a session if several cover it. Pure. */

/** The scope of a rate; an empty list means everybody, or everything. Days are `YYYY-MM-DD`. */
export interface Scope {
  readonly id: number;
  readonly instructors: readonly number[];
  readonly offeringTypes: readonly number[];
  readonly venues: readonly number[];
  readonly startsOn: string | null;
  readonly endsOn: string | null;
  readonly archived: boolean;
}

/** A session with one of its instructors; `day` by the clock of the venue. */
export interface Taught {
  readonly instructor: number;
  readonly offeringType: number;
  readonly venue: number;
  readonly day: string;
}

interface Choice<S extends Scope> {
  /** null if no rate covers the session */
  readonly rate: S | null;
  /** others that cover it equally well; the newest rate applies, but a person should check */
  readonly rivals: readonly S[];
}

const allows = (ids: readonly number[], id: number): boolean => ids.length === 0 || ids.includes(id);

const covers = (rate: Scope, { instructor, offeringType, venue, day }: Taught): boolean =>
  !rate.archived &&
  allows(rate.instructors, instructor) &&
  allows(rate.offeringTypes, offeringType) &&
  allows(rate.venues, venue) &&
  (rate.startsOn === null || rate.startsOn <= day) &&
  (rate.endsOn === null || day <= rate.endsOn);

/**
 * Returns the precision: a rate that names the instructor precedes any that does not, then one that names the offering
 * type, then the venue.
 */
const precisionOf = ({ instructors, offeringTypes, venues }: Scope): number =>
  (instructors.length > 0 ? 4 : 0) + (offeringTypes.length > 0 ? 2 : 0) + (venues.length > 0 ? 1 : 0);

/**
 * Compares two rates; more than 0 if the first is better. Between equally precise ones, the one that began later is
 * better.
 */
const compare = (a: Scope, b: Scope): number =>
  precisionOf(a) - precisionOf(b) || (a.startsOn ?? '').localeCompare(b.startsOn ?? '');

export function rateFor<S extends Scope>(rates: readonly S[], taught: Taught): Choice<S> {
  const [best, ...others] = rates
    .filter((rate) => covers(rate, taught))
    .toSorted((a, b) => compare(b, a) || b.id - a.id);
  if (!best) return { rate: null, rivals: [] };
  return { rate: best, rivals: others.filter((rate) => compare(best, rate) === 0) };
}

/** Explains the choice in a sentence. */
export function explainRate(rate: Scope, rivals: readonly Scope[]): string {
  const named = [
    rate.instructors.length > 0 && 'the instructor',
    rate.offeringTypes.length > 0 && 'the offering type',
    rate.venues.length > 0 && 'the venue',
  ].filter((one) => one !== false);
  const why = named.length > 0 ? `It names ${list(named)}.` : 'It is for all sessions, and none is more specific.';
  return rivals.length > 0
    ? `${why} ${list(rivals.map(({ id }) => `Rate ${id}`))} would apply as well; the newest one counts.`
    : why;
}

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
