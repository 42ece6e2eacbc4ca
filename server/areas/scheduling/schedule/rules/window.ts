/**
 * Rules for the booking window and for late cancellations: docs/algorithms/registration-window.md. All intervals are
 * minutes before the start; null means that the next level applies.
 */
import { minutesBefore } from '../../../../kernel/base/values/period.ts';

export type Audience =
  | 'everyone'
  | 'business_only'
  | 'membership_holders'
  | 'specific_memberships'
  | 'specific_customers'
  | 'private_url';

export interface Intervals {
  /** null or 0 if booking is open from the beginning */
  readonly opens: number | null;
  readonly closes: number | null;
  readonly notice: number | null;
}

export interface Timeline extends Intervals {
  readonly id: number;
  readonly name: string | null;
  readonly audience: Audience;
  readonly calendarOpens: number | null;
  /** ids, for `specific_memberships` */
  readonly memberships?: readonly number[] | null;
}

export interface WindowFacts {
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly createdAt: number;
  /** set on the event itself; overrides timelines */
  readonly calendarOpensAt: number | null;
  /** timelines of the event, or of its offering type if it has none */
  readonly timelines: readonly Timeline[];
  readonly offeringType: Intervals;
  readonly provider: Intervals;
}

export interface Window {
  /** timeline that applies; null for the defaults */
  readonly timeline: Timeline | null;
  readonly calendarOpensAt: number;
  readonly opensAt: number;
  readonly closesAt: number;
  readonly lateCancelsAfter: number;
}

/** The person for whom a window is resolved: anybody, staff, or a customer with the timelines that name them. */
export interface Asker {
  readonly staff: boolean;
  /** ids of the `specific_customers` timelines that include the customer */
  readonly named: readonly number[];
  /** ids of the memberships that the customer may use on the day of the event; absent if there are none */
  readonly memberships?: readonly number[];
}

export const ANYBODY: Asker = { staff: false, named: [] };

const PERSONAL: ReadonlySet<Audience> = new Set(['membership_holders', 'specific_memberships', 'specific_customers']);

/** Returns true if a customer's window may differ from anybody's, so that facts about the customer are needed. */
export const isPersonal = ({ timelines }: Pick<WindowFacts, 'timelines'>): boolean =>
  timelines.some(({ audience }) => PERSONAL.has(audience));

function isFor({ audience, id, memberships }: Timeline, { staff, named, memberships: held = [] }: Asker): boolean {
  if (audience === 'everyone') return true;
  if (staff) return true;
  if (audience === 'membership_holders') return held.length > 0;
  if (audience === 'specific_memberships') return held.some((one) => memberships?.includes(one));
  return audience === 'specific_customers' && named.includes(id);
}

/** Returns the window of the most favorable timeline; null if timelines exist and none applies to this person. */
export function resolveWindow(facts: WindowFacts, asker: Asker): Window | null {
  if (facts.timelines.length === 0) return windowOf(facts, null);
  const windows = facts.timelines.filter((t) => isFor(t, asker)).map((t) => windowOf(facts, t));
  if (windows.length === 0) return null;
  const [first] = windows.toSorted(
    (a, b) => a.opensAt - b.opensAt || b.closesAt - a.closesAt || a.timeline!.id - b.timeline!.id,
  );
  // Seeing an event is not booking it: the calendar shows it as soon as any of the timelines does.
  return { ...first, calendarOpensAt: Math.min(...windows.map((w) => w.calendarOpensAt)) };
}

function windowOf(
  { startsAt, createdAt, calendarOpensAt, offeringType, provider }: WindowFacts,
  timeline: Timeline | null,
): Window {
  const minutes = (pick: (i: Intervals) => number | null): number | null =>
    (timeline && pick(timeline)) ?? pick(offeringType) ?? pick(provider);
  const opens = minutes((i) => i.opens);
  return {
    timeline,
    calendarOpensAt:
      calendarOpensAt ?? (timeline?.calendarOpens ? minutesBefore(startsAt, timeline.calendarOpens) : createdAt),
    opensAt: opens ? minutesBefore(startsAt, opens) : createdAt,
    closesAt: minutesBefore(startsAt, minutes((i) => i.closes) ?? 0),
    lateCancelsAfter: minutesBefore(startsAt, minutes((i) => i.notice) ?? 0),
  };
}
