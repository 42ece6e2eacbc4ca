/**
 * Emails about substitutes: to staff who manage events, to instructors who could teach one, and to those who requested
 * or offered.
 */
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { dashboardUrl, type StaffNoticeType } from '../../../kernel/work/unit/notices.ts';
import { dayIn, timesIn } from '../../../kernel/base/languages/times.ts';
import { ENGLISH, type Reader } from '../../../kernel/base/languages/languages.ts';
import { judgeSubstitutes, type SubstitutedEvent } from '../hours/index.ts';
import { MANAGES, TAKES_PART } from './acting.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export const SUBSTITUTE_NOTICES = {
  wanted: { type: 'substitute_wanted' },
  asked: { type: 'substitute_asked' },
  offered: { type: 'substitute_offered' },
  filled: { type: 'substitute_filled' },
  declined: { type: 'substitute_declined' },
  withdrawn: { type: 'substitute_withdrawn' },
} as const satisfies Record<string, StaffNoticeType>;

interface Asked {
  readonly id: number;
  readonly event_id: number;
  readonly instructor_id: number;
  readonly message: string | null;
}

interface Facts {
  readonly name: string;
  readonly timezone: string;
  readonly starts_at: number;
  readonly ends_at: number;
  readonly venue_id: number;
  readonly venue: string;
  readonly business: string;
  /** name of the instructor who made the request */
  readonly instructor: string;
  readonly staff: number;
}

const factsOf = async (
  { tx, providerId }: Work,
  { event_id: event, instructor_id: instructor }: Asked,
): Promise<Facts> =>
  (await tx.one<Facts & Record<string, unknown>>(sql`
    SELECT e.name, e.timezone, e.starts_at, e.ends_at, e.venue_id, v.name AS venue, b.name AS business,
      i.name AS instructor, i.staff_id AS staff
    FROM event e JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id
    JOIN provider b ON b.provider_id = e.provider_id
      JOIN instructor i ON i.provider_id = e.provider_id AND i.id = ${instructor}
    WHERE e.provider_id = ${providerId} AND e.id = ${event}`))!;

/** Returns the staff members of these instructors who still work there. */
async function staffOf({ tx, providerId }: Work, instructors: readonly number[]): Promise<number[]> {
  if (instructors.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(sql`
    SELECT s.id FROM instructor i JOIN staff s ON s.provider_id = i.provider_id AND s.id = i.staff_id
    WHERE i.provider_id = ${providerId} AND i.id = ANY(${[...instructors]}::bigint[]) AND NOT s.archived
    ORDER BY s.id`);
  return rows.map(({ id }) => id);
}

/** Returns staff with one of these permissions at the venue. */
async function staffAt({ tx, providerId }: Work, venue: number, anyOf: readonly string[]): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(sql`
    SELECT id FROM staff WHERE provider_id = ${providerId} AND NOT archived AND permissions && ${anyOf}::text[]
      AND (venue_ids = '{}' OR ${venue} = ANY(venue_ids)) ORDER BY id`);
  return rows.map(({ id }) => id);
}

const TEXTS = Catalog.read('messages', 'substitutions');

/** The language of these emails: that of the business. */
const readerIn = ({ tenant: { reader = ENGLISH } }: Work): Reader => reader;

const saying = (work: Work): Say<TextKey<'messages', 'substitutions'>> => TEXTS.for(readerIn(work), work.tenant.words);

function when(work: Work, { name, starts_at: from, ends_at: to, timezone: zone, venue }: Facts): string {
  const { locale } = readerIn(work);
  return `${name}\n${dayIn(locale, from, zone)}, ${timesIn(locale, from, to, zone)}\n${venue}`;
}

interface Sent {
  readonly what: keyof typeof SUBSTITUTE_NOTICES;
  readonly key: string;
  readonly facts: Facts;
  readonly text: readonly (string | null)[];
}

/** Sends to everyone but the person who acts: they know what they did. */
async function send(work: Work, staff: readonly number[], { what, key, facts, text }: Sent): Promise<void> {
  const others = staff.filter((id) => id !== work.viewer.staffId);
  if (others.length === 0) return;
  await work.registry.notifier.notifyStaff(work, others, {
    type: SUBSTITUTE_NOTICES[what],
    key,
    write: () => ({
      subject: saying(work)(`${what}.subject`),
      text: [...text, facts.business].filter((part) => part !== null).join('\n\n'),
    }),
  });
}

export async function tellWanted(work: Work, asked: Asked, event: SubstitutedEvent): Promise<void> {
  const facts = await factsOf(work, asked);
  const free = (await judgeSubstitutes(work, event)).filter(({ available }) => available);
  const managers = await staffAt(work, facts.venue_id, MANAGES);
  // Nobody is asked for an offer that they may not make.
  const mayOffer = await staffAt(work, facts.venue_id, TAKES_PART);
  const able = free.map(({ instructor }) => instructor);
  const instructors = (await staffOf(work, able)).filter(
    (id) => mayOffer.includes(id) && !managers.includes(id) && id !== facts.staff,
  );
  const said = saying(work);
  const about = [said('wanted', { name: facts.instructor }), when(work, facts), asked.message];
  const key = String(asked.id);
  await send(work, managers, {
    what: 'wanted',
    key,
    facts,
    text: [
      ...about,
      free.length === 0 ? said('nobody') : said('able', { names: free.map(({ name }) => name).join(', ') }),
      dashboardUrl(work, `calendar?event=${asked.event_id}`),
    ],
  });
  await send(work, instructors, {
    what: 'asked',
    key,
    facts,
    text: [...about, said('asked'), dashboardUrl(work, 'mine')],
  });
}

export async function tellOffered(work: Work, asked: Asked, by: { id: number; name: string }): Promise<void> {
  const facts = await factsOf(work, asked);
  const said = saying(work);
  await send(work, await staffAt(work, facts.venue_id, MANAGES), {
    what: 'offered',
    // A withdrawn offer can be made again, and is then announced again.
    key: `${asked.id}:${by.id}:${work.now}`,
    facts,
    text: [
      said('offered', { name: by.name, instructor: facts.instructor }),
      when(work, facts),
      said('decide'),
      dashboardUrl(work, `calendar?event=${asked.event_id}`),
    ],
  });
}

/** Notifies those who offered and are not needed. Both instructors are notified by the change of the event. */
export async function tellFilled(
  work: Work,
  asked: Asked,
  offers: readonly number[],
  substitute: string,
): Promise<void> {
  const facts = await factsOf(work, asked);
  const said = saying(work);
  await send(work, await staffOf(work, offers), {
    what: 'filled',
    key: String(asked.id),
    facts,
    text: [said('filled', { name: substitute }), when(work, facts), said('thanks')],
  });
}

export async function tellDeclined(work: Work, asked: Asked, answer: string | null): Promise<void> {
  const facts = await factsOf(work, asked);
  await send(work, [facts.staff], {
    what: 'declined',
    key: String(asked.id),
    facts,
    text: [saying(work)('declined'), when(work, facts), answer, dashboardUrl(work, 'mine')],
  });
}

/** Notifies those who offered that they are no longer needed. */
export async function tellWithdrawn(work: Work, asked: Asked, offers: readonly number[]): Promise<void> {
  const facts = await factsOf(work, asked);
  const said = saying(work);
  await send(work, await staffOf(work, offers), {
    what: 'withdrawn',
    key: String(asked.id),
    facts,
    text: [said('withdrawn', { name: facts.instructor }), when(work, facts), said('thanks')],
  });
}
