/**
 * When booking opens and closes, and when a cancellation counts as late: docs/algorithms/registration-window.md.
 * All intervals are minutes before the start; null says nothing and lets the next level speak.
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
  /** null or 0: booking is open from the beginning */
  readonly opens: number | null;
  readonly closes: number | null;
  readonly notice: number | null;
}

export interface Timeline extends Intervals {
  readonly id: number;
  readonly name: string | null;
  readonly audience: Audience;
  readonly calendarOpens: number | null;
  /** ids, of `specific_memberships` */
  readonly memberships?: readonly number[] | null;
}

export interface WindowFacts {
  /** epoch ms */
  readonly startsAt: number;
  readonly createdAt: number;
  /** set on the event itself; wins over timelines */
  readonly calendarOpensAt: number | null;
  /** of the event, or of its offering type where it has none */
  readonly timelines: readonly Timeline[];
  readonly offeringType: Intervals;
  readonly provider: Intervals;
}

export interface Window {
  /** the timeline that decided; null where the defaults did */
  readonly timeline: Timeline | null;
  readonly calendarOpensAt: number;
  readonly opensAt: number;
  readonly closesAt: number;
  readonly lateCancelsAfter: number;
}

/** For whom a window is asked: anybody, staff, or a customer with the timelines that name it. */
export interface Asker {
  readonly staff: boolean;
  /** ids of the `specific_customers` timelines that list the customer */
  readonly named: readonly number[];
  /** ids of the memberships that the customer may use on the day of the event; absent: none */
  readonly memberships?: readonly number[];
}

export const ANYBODY: Asker = { staff: false, named: [] };

const PERSONAL: ReadonlySet<Audience> = new Set(['membership_holders', 'specific_memberships', 'specific_customers']);

/** Whether the window of a customer may differ from anybody's, so that what is known of them matters. */
export const isPersonal = ({ timelines }: Pick<WindowFacts, 'timelines'>): boolean =>
  timelines.some(({ audience }) => PERSONAL.has(audience));

function isFor({ audience, id, memberships }: Timeline, { staff, named, memberships: held = [] }: Asker): boolean {
  if (audience === 'everyone') return true;
  if (staff) return true;
  if (audience === 'membership_holders') return held.length > 0;
  if (audience === 'specific_memberships') return held.some((one) => memberships?.includes(one));
  return audience === 'specific_customers' && named.includes(id);
}

/** The window of the most favourable timeline; null when timelines exist and none is for the asker. */
export function resolveWindow(facts: WindowFacts, asker: Asker): Window | null {
  if (facts.timelines.length === 0) return windowOf(facts, null);
  const windows = facts.timelines.filter((t) => isFor(t, asker)).map((t) => windowOf(facts, t));
  if (windows.length === 0) return null;
  const [first] = windows.toSorted(
    (a, b) => a.opensAt - b.opensAt || b.closesAt - a.closesAt || a.timeline!.id - b.timeline!.id,
  );
  // Looking is not booking: the calendar shows the event as soon as any of the timelines does.
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
