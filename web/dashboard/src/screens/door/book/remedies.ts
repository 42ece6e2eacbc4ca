/** The remedies that the door offers for a refused booking. Pure. */

export interface Rule {
  readonly code: string;
  readonly passed: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Explained {
  readonly can_book: boolean;
  readonly current_status: string;
  /** the suggestion for customers; their booking window does not bind staff */
  readonly suggested_action: string | null;
  readonly rules: readonly Rule[];
}

export interface Remedies {
  /** true if the customer is booked or already attended */
  readonly booked: boolean;
  /**
   * Set if nothing pays for the booking and a sale would. `membership`: but no drop-in, because no place is free or
   * drop-ins are not sold
   */
  readonly sell: 'anything' | 'membership' | null;
  readonly comped: boolean;
  /** what they would owe if they were booked now, as people read it; null: nothing */
  readonly owed: string | null;
  readonly waitlist: boolean;
  /** the customer only manages a family and does not take part yet */
  readonly participate: boolean;
}

/** The refusal as long as a drop-in could be paid. */
const DROP_IN_COSTS = 'payment_required';

/** Refusals because nothing pays for the booking. */
const UNPAID: ReadonlySet<string> = new Set([
  'membership_required',
  'membership_does_not_cover',
  'membership_expired',
  'membership_not_started',
  'membership_on_hold',
  'membership_unpaid',
  'allotment_used_up',
  DROP_IN_COSTS,
]);

const BOOKED: ReadonlySet<string> = new Set(['registered', 'attended', 'no_show']);
const WAITS: ReadonlySet<string> = new Set(['on_waitlist', 'spot_reserved']);

export function remediesOf({ current_status: status, suggested_action: suggested, rules }: Explained): Remedies {
  const failed = rules.filter(({ passed }) => !passed).map(({ code }) => code);
  const booked = BOOKED.has(status);
  const full = failed.includes('event_full');
  const others = failed.filter((code) => code !== 'event_full');
  const charged = booked ? undefined : rules.find(({ facts }) => facts.charged_to_account === true);
  const unpaid = !booked && (others.length > 0 || charged !== undefined) && others.every((code) => UNPAID.has(code));
  const single = charged !== undefined || failed.includes(DROP_IN_COSTS);
  const joins = full && (others.length === 0 || suggested === 'join_waitlist');
  return {
    booked,
    sell: unpaid ? (full || !single ? 'membership' : 'anything') : null,
    comped: unpaid && !full,
    owed: charged && failed.length === 0 ? String(charged.facts.total_price) : null,
    waitlist: !booked && !WAITS.has(status) && joins,
    participate: failed.includes('customer_not_participating'),
  };
}
