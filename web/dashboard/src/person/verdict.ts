/** Whether a person may come in today, and the next step. Pure. */

export interface Booked {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly timezone: string;
}

export interface Held {
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  readonly start_date: string | null;
  readonly expiration_date: string | null;
  /** its id */
  readonly unpaid_invoice: number | null;
  readonly usage_summary: readonly { readonly remaining_count: number | null }[];
}

export interface Facts {
  /** the customer is blocked from booking */
  readonly blocked: boolean;
  readonly membership: Held | null;
  readonly next: Booked | null;
  readonly last: Booked | null;
}

export interface At {
  readonly now: number;
  /** in the time zone of the business, as `2026-11-23` */
  readonly today: string;
  /** returns the date of an instant in a time zone */
  readonly dateAt: (moment: string, zone: string) => string;
}

/** An objection to the membership; null: it pays for a class today */
export type Trouble = 'blocked' | 'none' | 'ended' | 'on_hold' | 'not_started' | 'unpaid' | 'used_up';

export type Verdict =
  | { readonly kind: 'here'; readonly trouble: null; readonly step: 'take_back' }
  | { readonly kind: 'booked'; readonly trouble: Trouble | null; readonly step: 'check_in' }
  | { readonly kind: 'covered'; readonly trouble: null; readonly step: 'book' }
  | { readonly kind: 'blocked'; readonly trouble: 'blocked'; readonly step: 'lift' }
  | {
      readonly kind: 'uncovered';
      readonly trouble: Exclude<Trouble, 'blocked'>;
      readonly step: 'sell' | 'pay' | 'resume';
    };

export function troubleOf(membership: Held | null, today: string): Exclude<Trouble, 'blocked'> | null {
  if (membership === null) return 'none';
  const { status, start_date: start, expiration_date: end } = membership;
  if (status === 'completed' || status === 'cancelled' || (end !== null && today > end)) return 'ended';
  if (status === 'hold') return 'on_hold';
  if (membership.unpaid_invoice !== null) return 'unpaid';
  if (start !== null && today < start) return 'not_started';
  return membership.usage_summary.some(({ remaining_count: left }) => left === 0) ? 'used_up' : null;
}

/**
 * Returns the verdict. Nobody is turned away because of their membership if they are booked: the booking may be paid in
 * another way, so the objection is shown beside it. A block concerns new bookings, so it doesn't turn them away either.
 */
export function verdictOf({ blocked, membership, next, last }: Facts, { now, today, dateAt }: At): Verdict {
  const trouble = troubleOf(membership, today);
  const isToday = (one: Booked | null): one is Booked =>
    one !== null && dateAt(one.starts_at, one.timezone) === dateAt(new Date(now).toISOString(), one.timezone);
  if (isToday(last) && Date.parse(last.ends_at) > now) return { kind: 'here', trouble: null, step: 'take_back' };
  // A membership that doesn't exist can't be wrong: the booking was paid without one.
  if (isToday(next) && blocked) return { kind: 'booked', trouble: 'blocked', step: 'check_in' };
  if (isToday(next))
    return { kind: 'booked', trouble: trouble === 'none' || trouble === 'used_up' ? null : trouble, step: 'check_in' };
  if (blocked) return { kind: 'blocked', trouble: 'blocked', step: 'lift' };
  if (trouble === null) return { kind: 'covered', trouble, step: 'book' };
  const step = trouble === 'unpaid' ? 'pay' : trouble === 'on_hold' ? 'resume' : 'sell';
  return { kind: 'uncovered', trouble, step };
}

/** Returns the fewest uses that are left in any period of the allotment; null: no limit */
export function leftOf(
  membership: {
    readonly usage_summary: readonly { readonly remaining_count: number | null; readonly max_uses: number | null }[];
  } | null,
): { readonly left: number; readonly all: number } | null {
  const limits = (membership?.usage_summary ?? []).flatMap(({ remaining_count: left, max_uses: all }) =>
    left === null || all === null ? [] : { left, all },
  );
  return limits.toSorted((a, b) => a.left - b.left)[0] ?? null;
}

/** Returns one or two letters for a person without a photo. */
export const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => (word ? [...word][0] : ''))
    .join('')
    .toUpperCase();
};
