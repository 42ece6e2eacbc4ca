/** What the door can do about a booking that is refused. Pure. */

export interface Rule {
  readonly code: string;
  readonly passed: boolean;
}

export interface Explained {
  readonly can_book: boolean;
  readonly current_status: string;
  readonly rules: readonly Rule[];
}

export interface Remedies {
  /** they are booked, or were here already */
  readonly booked: boolean;
  /** something is to be paid: a sale helps, or a booking without charge */
  readonly sell: boolean;
  readonly comped: boolean;
  readonly waitlist: boolean;
  /** they only manage a family until somebody says otherwise */
  readonly participate: boolean;
}

/** Refusals that say that nothing pays for it. */
const UNPAID: ReadonlySet<string> = new Set([
  'membership_required',
  'membership_does_not_cover',
  'membership_expired',
  'membership_not_started',
  'membership_on_hold',
  'membership_unpaid',
  'allotment_used_up',
  'payment_required',
]);

const BOOKED: ReadonlySet<string> = new Set(['registered', 'attended', 'no_show']);
const WAITS: ReadonlySet<string> = new Set(['on_waitlist', 'spot_reserved']);

export function remediesOf({ current_status: status, rules }: Explained): Remedies {
  const failed = rules.filter(({ passed }) => !passed).map(({ code }) => code);
  const only = (is: (code: string) => boolean): boolean => failed.length > 0 && failed.every(is);
  const booked = BOOKED.has(status);
  const unpaid = !booked && only((code) => UNPAID.has(code));
  return {
    booked,
    sell: unpaid,
    comped: unpaid,
    // Whether what pays is missing too is asked when the place comes.
    waitlist: !booked && !WAITS.has(status) && only((code) => code === 'event_full' || UNPAID.has(code)) && !unpaid,
    participate: failed.includes('customer_not_participating'),
  };
}
