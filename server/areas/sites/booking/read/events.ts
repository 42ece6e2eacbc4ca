/** Events of the timetable, as the interface shows them to the reader. */
import { isFor } from '../../../memberships/memberships/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { standingsOf, type StandingOf } from '../../events/index.ts';
import type { Ask, At, Entry } from '../../frame/index.ts';
import type { Present } from '../look.ts';

export interface Listed {
  readonly id: number;
  readonly name: string;
  /** offering type id */
  readonly what: number | null;
  readonly status: 'active' | 'cancelled';
  /** in epoch milliseconds, and as the interface returned it */
  readonly startsAt: number;
  readonly startsAtText: string;
  readonly endsAt: number;
  readonly zone: string;
  /** date at the venue */
  readonly date: string;
  readonly instructors: readonly string[];
  readonly venue: string;
  /** null: unlimited */
  readonly left: number | null;
  /** of an event that also takes place online; null: it doesn't */
  readonly onlineLeft: number | null;
  readonly waiting: number;
  /** time when booking opens, in epoch milliseconds */
  readonly opensAt: number;
  /** standings of the reader and the people whom they act for; empty for visitors */
  readonly mine: readonly StandingOf[];
  /** each of these people has one */
  readonly isForEverybody: boolean;
}

/** Filters of the timetable: ids; null: no filter. */
export interface Narrowed {
  readonly what: number | null;
  readonly teacher: number | null;
  readonly place: number | null;
  readonly category: number | null;
  /** in whole years */
  readonly age: number | null;
  /** what this membership pays for */
  readonly membership: number | null;
  readonly free: boolean;
  /** in the name, the instructors or the venue */
  readonly text: string | null;
}

export const EVERYTHING: Narrowed = {
  what: null,
  teacher: null,
  place: null,
  category: null,
  age: null,
  membership: null,
  free: false,
  text: null,
};

export const isNarrowed = ({ free, ...chosen }: Narrowed): boolean =>
  free || Object.values(chosen).some((one) => one !== null);

const SHOWN =
  'id,name,offering_type,status,starts_at,ends_at,timezone,max_occupancy,attending_count,waiting_count,is_full,online_max_occupancy,online_attending_count,is_online_full,registrations_open_at,venue.name,instructors.name';
const PAGE = 250;
/** Maximum number of events in one view; a week of a large leisure center has fewer. */
export const MAX_EVENTS = 4 * PAGE;

/** The filters, with the ids of the offerings that the membership pays for; null: no membership is chosen. */
export interface Wanted extends Narrowed {
  readonly covered: readonly number[] | null;
}

/** Returns the offerings that a membership pays for, whatever is on sale now. */
export async function coveredBy({ tx }: Present, providerId: number, membership: number): Promise<readonly number[]> {
  const rows = await tx.rows<{ id: number }>(sql`
    SELECT o.id FROM membership m JOIN offering_type o ON o.provider_id = m.provider_id AND ${isFor('m', 'o')}
    WHERE m.provider_id = ${providerId} AND m.id = ${membership} ORDER BY o.id`);
  return rows.map(({ id }) => id);
}

const ALL: Wanted = { ...EVERYTHING, covered: null };

/** Matches no offering: a list of ids that is empty would match all. */
const NO_OFFERING = 0;

/** Returns a function that tells which events contain each word of the text. */
function containing(text: string | null): (one: Listed) => boolean {
  if (text === null) return () => true;
  const words = foldedWords(text);
  return ({ name, instructors, venue }) => {
    const all = foldedWords([name, ...instructors, venue].join(' ')).join(' ');
    return words.every((word) => all.includes(word));
  };
}

/** Returns the words of a text without case and accents. */
const foldedWords = (text: string): string[] =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().split(/\s+/).filter(Boolean);

const asked = ({ what, teacher, place, category, age, free, covered }: Wanted) => ({
  ...(covered !== null && { offering_types: covered.length === 0 ? NO_OFFERING : covered.join(',') }),
  ...(what !== null && { offering_types: what }),
  ...(teacher !== null && { instructors: teacher }),
  ...(place !== null && { venues: place }),
  ...(category !== null && { category }),
  ...(age !== null && { for_age: age }),
  ...(free && { occupancy_status: 'not_full' }),
});

/** Returns events that begin on these days at their venue; `more`: there are further ones. */
export async function eventsOf(
  ask: Ask,
  { from, days }: { readonly from: string; readonly days: number },
  narrowed: Wanted,
): Promise<{ readonly events: readonly Listed[]; readonly more: boolean }> {
  const events: Listed[] = [];
  for (let page = 1; ; page++) {
    const { results, next } = await ask('GET /events', {
      query: {
        fields: SHOWN,
        expand: 'venue,instructors',
        local_starts_at_gte: `${from}T00:00`,
        local_starts_at_lte: `${addDays(from, days - 1)}T23:59:59`,
        ...asked(narrowed),
        page,
        page_size: PAGE,
      },
    });
    events.push(...results.map(listed).filter(containing(narrowed.text)));
    if (next === null || events.length >= MAX_EVENTS) return { events, more: next !== null };
  }
}

/** Returns the next active events, soonest first. */
export async function comingUp(
  ask: Ask,
  now: number,
  most: number,
  narrowed: Wanted = ALL,
): Promise<readonly Listed[]> {
  const { results } = await ask('GET /events', {
    query: {
      fields: SHOWN,
      expand: 'venue,instructors',
      status: 'active',
      starts_at_gte: new Date(now).toISOString(),
      ...asked(narrowed),
      page_size: narrowed.text === null ? most : PAGE,
    },
  });
  return results.map(listed).filter(containing(narrowed.text)).slice(0, most);
}

/** Returns those of the events that are visible. */
export async function eventsWith(ask: Ask, ids: readonly number[]): Promise<readonly Listed[]> {
  if (ids.length === 0) return [];
  const { results } = await ask('GET /events', {
    query: { fields: SHOWN, expand: 'venue,instructors', ids: ids.join(','), page_size: PAGE },
  });
  return results.map(listed);
}

/** Returns the events with the standings of the reader's people. Visitors have none, so nothing is read for them. */
export async function withStandings(
  { site }: Pick<At, 'site'>,
  { people, tx }: Present,
  now: number,
  events: readonly Listed[],
): Promise<readonly Listed[]> {
  if (people === null) return events;
  const all = await standingsOf(tx, site.id, { people, events: events.map(({ id }) => id), now });
  const participating = people.filter((one) => one.participating);
  return events.map((one) => {
    const mine = all.filter(({ event }) => event === one.id);
    return {
      ...one,
      mine,
      isForEverybody: participating.every(({ id }) => mine.some(({ customer }) => customer === id)) && mine.length > 0,
    };
  });
}

function listed(event: Entry<'GET /events', typeof SHOWN, 'venue,instructors'>): Listed {
  const { max_occupancy: most, attending_count: attending, is_full: full } = event;
  return {
    id: event.id,
    name: event.name,
    what: event.offering_type,
    status: event.status,
    startsAt: Date.parse(event.starts_at),
    startsAtText: event.starts_at,
    endsAt: Date.parse(event.ends_at),
    zone: event.timezone,
    date: event.starts_at.slice(0, 10),
    instructors: event.instructors.map(({ name }) => name),
    venue: event.venue?.name ?? '',
    // Reserved spots are not available.
    left: full ? 0 : most === null ? null : Math.max(most - attending, 0),
    onlineLeft:
      event.online_max_occupancy === null
        ? null
        : event.is_online_full
          ? 0
          : Math.max(event.online_max_occupancy - event.online_attending_count, 0),
    waiting: event.waiting_count,
    opensAt: Date.parse(event.registrations_open_at),
    mine: [],
    isForEverybody: false,
  };
}
