/** The addresses that people need to subscribe to a calendar. */
import { feedToken, rowOf, type Feed, type FeedKind } from './address.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { listOf, object, text, uri } from '../../../../kernel/base/fields/kinds.ts';
import type { SecretBox } from '../../../../kernel/base/secret-box.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const FOLDER = 'calendars';

export const links = {
  link: uri().describe('The secret address of the calendar. Anyone who knows it can read the calendar.'),
  webcal_url: text({ max: 2000, format: 'uri' }).describe('The same URL for programs that open calendars.'),
  integrations: listOf(object({ name: text(), url: uri() })).describe(
    'Pages of calendar services that subscribe to the calendar when they are opened.',
  ),
};

interface Links {
  readonly link: string;
  readonly webcal_url: string;
  readonly integrations: readonly { readonly name: string; readonly url: string }[];
}

export function linksOf(
  secrets: Pick<SecretBox, 'fingerprint'>,
  baseUrl: string,
  feed: Feed,
  generation: number,
): Links {
  const link = `${baseUrl}/${FOLDER}/${feedToken(secrets, feed, generation)}.ics`;
  const webcal_url = link.replace(/^https?:/, 'webcal:');
  return {
    link,
    webcal_url,
    integrations: [
      { name: 'Google Calendar', url: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal_url)}` },
      { name: 'Outlook', url: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(link)}` },
      {
        name: 'Microsoft 365',
        url: `https://outlook.office.com/calendar/0/addfromweb?url=${encodeURIComponent(link)}`,
      },
    ],
  };
}

type Of = Omit<Feed, 'providerId'>;

/** Objects that calendars belong to, for the audit. */
const OBJECTS: ReadonlyMap<FeedKind, string> = new Map([
  ['customer', 'customer'],
  ['family', 'customer'],
  ['instructor', 'instructor'],
  ['room', 'venue_room'],
  ['business', 'provider'],
]);

export async function readLinks(work: Work, of: Of): Promise<Links> {
  const row = await work.tx.one<{ generation: number }>(
    sql`SELECT f.generation FROM calendar_feed f WHERE f.provider_id = ${work.providerId} AND ${rowOf(of).is}`,
  );
  return linksOf(
    work.installation.box,
    work.installation.baseUrl,
    { ...of, providerId: work.providerId },
    row?.generation ?? 0,
  );
}

/** Replaces the address of a calendar. The previous address stops working immediately. */
export async function resetLinks(work: Work, of: Of): Promise<Links> {
  const { columns } = rowOf(of);
  const now = instant(work.now);
  const row = await work.tx.one<{ id: number; generation: number }>(sql`
    INSERT INTO calendar_feed (provider_id, kind, customer_id, instructor_id, venue_room_id, generation, created_at,
      updated_at)
    VALUES (${work.providerId}, ${columns.kind}, ${columns.customer_id}, ${columns.instructor_id},
      ${columns.venue_room_id}, 1, ${now}, ${now})
    ON CONFLICT ON CONSTRAINT calendar_feed_one
    DO UPDATE SET generation = calendar_feed.generation + 1, earlier_hashes = '{}', updated_at = excluded.updated_at
    RETURNING id, generation`);
  work.audit({
    action: 'icalendar_links',
    object: OBJECTS.get(of.kind)!,
    objectId: of.kind === 'business' ? work.providerId : of.subject,
    before: { [`${of.kind}_calendar_resets`]: row!.generation - 1 },
    after: { [`${of.kind}_calendar_resets`]: row!.generation },
  });
  return linksOf(
    work.installation.box,
    work.installation.baseUrl,
    { ...of, providerId: work.providerId },
    row!.generation,
  );
}
