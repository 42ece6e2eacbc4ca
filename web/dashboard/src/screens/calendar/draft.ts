/** The input for an event, and its conversion to requests. */
import { DAY, dateOf, parseWall, textOf, timeOfDay } from './wall.ts';
import { typedAmount } from '../../app/amount.ts';

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const NEW_CLASS = 'new';
export const VISIBILITIES = ['public', 'membership_holders', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** The values of the fields: text, empty if nothing is chosen. */
export interface Draft {
  /** id of the class, or `NEW_CLASS` */
  readonly offering: string;
  /** of a new class */
  readonly visibility: Visibility;
  /** of a new class; empty: a membership is needed */
  readonly dropin: string;
  readonly name: string;
  readonly venue: string;
  readonly room: string;
  readonly instructors: readonly number[];
  readonly date: string;
  readonly start: string;
  /** if before `start`: on the next day */
  readonly end: string;
  /** empty: no limit */
  readonly places: string;
  /** empty: as for the offering */
  readonly waitlist: string;
  /** id of an online venue, for places online; empty: there are none */
  readonly call: string;
  readonly callPlaces: string;
  /** it repeats every week on these days; none: it takes place once */
  readonly weekdays: readonly Weekday[];
  /** empty: until the series is ended */
  readonly until: string;
  readonly closed: boolean;
}

export const emptyDraft = (date: string): Draft => ({
  offering: '',
  visibility: 'public',
  dropin: '',
  name: '',
  venue: '',
  room: '',
  instructors: [],
  date,
  start: '18:00',
  end: '19:00',
  places: '',
  waitlist: '',
  call: '',
  callPlaces: '',
  weekdays: [],
  until: '',
  closed: false,
});

export interface Details {
  readonly waitlist_max_override: number | null;
  readonly online_venue: number | null;
}

type Ref = { readonly id: number } | null;

/** An event as its form edits it, with its wall times at its venue. */
export interface Editable extends Details {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly offering_type: Ref;
  readonly venue: Ref;
  readonly venue_room: Ref;
  readonly instructors: readonly { readonly id: number }[];
  readonly max_occupancy: number | null;
  readonly online_max_occupancy: number | null;
}

export const draftOf = ({ waitlist_max_override, online_venue, ...event }: Editable): Draft => ({
  ...emptyDraft(dateOf(event.from)),
  offering: String(event.offering_type?.id ?? ''),
  name: event.name,
  venue: String(event.venue?.id ?? ''),
  room: String(event.venue_room?.id ?? ''),
  instructors: event.instructors.map(({ id }) => id),
  start: timeOfDay(event.from),
  end: timeOfDay(event.to),
  places: event.max_occupancy === null ? '' : String(event.max_occupancy),
  waitlist: waitlist_max_override === null ? '' : String(waitlist_max_override),
  call: online_venue === null ? '' : String(online_venue),
  callPlaces: event.online_max_occupancy === null ? '' : String(event.online_max_occupancy),
});

/** Returns wall times in the format of the interface; missing values stay empty, so that the interface reports them. */
export function toWallTimes({ date, start, end }: Pick<Draft, 'date' | 'start' | 'end'>): {
  readonly starts_at: string;
  readonly ends_at: string;
} {
  const from = parseWall(date, start);
  const to = parseWall(date, end);
  return {
    starts_at: from === null || start === '' ? '' : textOf(from),
    ends_at: to === null || end === '' ? '' : textOf(from !== null && to <= from ? to + DAY : to),
  };
}

/** Returns the end that keeps the length when the start changes. */
export function endAfter(draft: Pick<Draft, 'date' | 'start' | 'end'>, start: string): string {
  const { date, end } = draft;
  const [from, to, next] = [draft.start, end, start].map((time) => (time === '' ? null : parseWall(date, time)));
  if (from === null || to === null || next === null) return end;
  return timeOfDay(next + (to - from + (to <= from ? DAY : 0)));
}

const number = (text: string): number | null => (text === '' ? null : Number(text));

/** Returns for example `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270630`. */
export function ruleOf({ weekdays, until }: Pick<Draft, 'weekdays' | 'until'>): string {
  return [
    `FREQ=WEEKLY;BYDAY=${WEEKDAYS.filter((day) => weekdays.includes(day)).join(',')}`,
    until && `UNTIL=${until.replaceAll('-', '')}`,
  ]
    .filter(Boolean)
    .join(';');
}

const common = (draft: Draft) => ({
  name: draft.name,
  venue: Number(draft.venue),
  venue_room: number(draft.room),
  instructors: draft.instructors,
  max_occupancy: number(draft.places),
  waitlist_max_override: number(draft.waitlist),
  online_venue: number(draft.call),
  online_max_occupancy: draft.call === '' ? null : number(draft.callPlaces),
  ...toWallTimes(draft),
});

interface Kind {
  readonly offering_type?: number;
  readonly new_offering_type?: NewClass;
}

interface NewClass {
  readonly name: string;
  readonly customer_visibility: Visibility;
  readonly allows_dropins: boolean;
  readonly dropin_price?: string;
}

/** Returns the class of the event, or the values of a new one. */
function kindOf({ offering, name, visibility, dropin }: Draft): Kind {
  if (offering !== NEW_CLASS) return { offering_type: Number(offering) };
  const price = dropin === '' ? { allows_dropins: false } : { allows_dropins: true, dropin_price: typedAmount(dropin) };
  return { new_offering_type: { name, customer_visibility: visibility, ...price } };
}

export const bodyOfNew = (draft: Draft) => ({
  ...common(draft),
  ...kindOf(draft),
  ...(draft.weekdays.length > 0 && { recurrence: { rrule: ruleOf(draft) } }),
  ...(draft.closed && { on_closed_day: true }),
});

/** Returns only the differences, so that changes by other people in the meantime are not overwritten. */
export function bodyOfChange(draft: Draft, before: Draft): Partial<ReturnType<typeof common>> {
  const [now, then] = [common(draft), common(before)];
  const changed = (Object.keys(now) as (keyof typeof now)[]).filter(
    (name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, now[name]]));
}

/**
 * Merges what somebody else saved since `before` into a draft. `conflicts`: the fields that both changed, to different
 * values; the draft keeps its own.
 */
export function mergeDrafts(before: Draft, mine: Draft, theirs: Draft) {
  const isSame = (name: keyof Draft, a: Draft, b: Draft) => JSON.stringify(a[name]) === JSON.stringify(b[name]);
  const names = Object.keys(mine) as (keyof Draft)[];
  const changed = names.filter((name) => !isSame(name, mine, before) && !isSame(name, mine, theirs));
  const draft = { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) } as Draft;
  return { draft, conflicts: changed.filter((name) => !isSame(name, theirs, before)) };
}

/** The field next to which errors of each property are shown. */
export const FIELD_OF: Readonly<Record<string, keyof Draft>> = {
  offering_type: 'offering',
  'new_offering_type.name': 'name',
  'new_offering_type.dropin_price': 'dropin',
  name: 'name',
  venue: 'venue',
  venue_room: 'room',
  instructors: 'instructors',
  starts_at: 'start',
  ends_at: 'end',
  max_occupancy: 'places',
  waitlist_max_override: 'waitlist',
  online_venue: 'call',
  online_max_occupancy: 'callPlaces',
  recurrence: 'until',
  'recurrence.rrule': 'until',
};
