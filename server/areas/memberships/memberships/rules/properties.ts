/** Rules for the properties of each type of membership, and for contradictions between their values. Pure. */
import type { MembershipType } from './incomplete.ts';

const OF_SOME_TYPES = [
  'one_time_fee',
  'begin_on_first_registration',
  'duration',
  'duration_unit',
  'start_date',
  'expiration_date',
  'use_prorate',
] as const;
type OfSomeTypes = (typeof OF_SOME_TYPES)[number];

const OF: Record<MembershipType, readonly OfSomeTypes[]> = {
  pack: OF_SOME_TYPES.filter((name) => name !== 'use_prorate'),
  prepaid_plan: OF_SOME_TYPES,
  recurring_plan: [],
};

/** The value that a type without the property shows: sending it back is ignored. */
const NOTHING: Partial<Record<OfSomeTypes, unknown>> = {
  begin_on_first_registration: false,
  duration: null,
  duration_unit: 'days',
  start_date: null,
  expiration_date: null,
  use_prorate: false,
};

/** Returns the sent properties that this type does not have. */
export const foreignProperties = (type: MembershipType, sent: Partial<Record<OfSomeTypes, unknown>>): OfSomeTypes[] =>
  OF_SOME_TYPES.filter((name) => !OF[type].includes(name) && sent[name] !== undefined && sent[name] !== NOTHING[name]);

/** Returns the refusal, which names the types that have the property. */
export function foreignMessage(type: MembershipType, name: OfSomeTypes): string {
  const having = (Object.keys(OF) as MembershipType[]).filter((other) => OF[other].includes(name));
  return `A ${type} does not have this property; only ${having.join(' and ')} ${having.length === 1 ? 'has' : 'have'} it. Leave it out.`;
}

export interface Bounds {
  readonly min_allowed_age: number | null;
  readonly max_allowed_age: number | null;
  /** YYYY-MM-DD */
  readonly start_date: string | null;
  readonly expiration_date: string | null;
  readonly begin_on_first_registration: boolean;
}

interface Contradiction {
  /** properties of which any change resolves it */
  readonly between: readonly (keyof Bounds)[];
  readonly message: string;
}

export function contradictions({
  min_allowed_age: min,
  max_allowed_age: max,
  start_date: start,
  expiration_date: end,
  begin_on_first_registration: onFirst,
}: Bounds): Contradiction[] {
  const found: Contradiction[] = [];
  if (min !== null && max !== null && min > max)
    found.push({
      between: ['max_allowed_age', 'min_allowed_age'],
      message: `Nobody can be at least ${min} and at most ${max} years old.`,
    });
  if (start !== null && end !== null && start > end)
    found.push({
      between: ['expiration_date', 'start_date'],
      message: `It would end on ${end}, before it starts on ${start}.`,
    });
  if (start !== null && onFirst) {
    found.push({
      between: ['start_date', 'begin_on_first_registration'],
      message: `It starts either on ${start} or with the first registration. Send start_date null or begin_on_first_registration false.`,
    });
  }
  return found;
}
