/**
 * The public pages: a week that is rendered for each request compared with the same week of the interface, and a cached
 * page compared with a static text.
 */
import { paired, type Report } from '../kit/report.ts';
import { prepare, type PreparedRequest } from '../kit/load.ts';
import { readFor } from '../reads.ts';
import { sql } from '../../server/kernel/base/db/sql.ts';
import type { Installation, Server } from '../kit/installation.ts';
import type { Length } from '../kit/contest.ts';

/** The sessions of a large studio in a week. */
const SESSIONS = 300;
/** The properties that a week of the timetable shows of each session. */
const SHOWN =
  'id,name,status,starts_at,ends_at,timezone,max_occupancy,attending_count,waiting_count,is_full,registrations_open_at,venue.name,instructors.name';
const PAGE = 250;
const MONDAY = '2027-03-01';

export async function siteRows(
  report: Report,
  { db, provider }: Installation,
  server: Server,
  { turns, seconds }: Length,
): Promise<void> {
  // On days without events of the other rows.
  const slug = await db.transaction(provider, async (tx) => {
    await tx.run(sql`
      INSERT INTO event (provider_id, offering_type_id, venue_id, name, timezone, max_occupancy, local_starts_at,
        local_ends_at, starts_at, ends_at)
      SELECT ${provider}::bigint, o.id, v.id, 'Session ' || n, 'UTC', 20, at, at + interval '1 hour',
        at AT TIME ZONE 'UTC', (at + interval '1 hour') AT TIME ZONE 'UTC'
      FROM (SELECT id FROM offering_type WHERE provider_id = ${provider}::bigint ORDER BY id LIMIT 1) o,
        (SELECT id FROM venue WHERE provider_id = ${provider}::bigint ORDER BY id LIMIT 1) v,
        generate_series(1, ${SESSIONS}::int) n,
      LATERAL (SELECT ${MONDAY}::timestamp + n * interval '30 minutes' AS at) s`);
    return (await tx.one<{ slug: string }>(sql`SELECT slug FROM provider WHERE provider_id = ${provider}`))!.slug;
  });
  const { host } = new URL(server.url);
  const visitor = { host, 'accept-encoding': 'br', 'accept-language': 'en' };
  const week = `/${slug}/timetable?week=${MONDAY}`;
  // A page with an explicit language is never cached.
  const made = prepare({ method: 'GET', path: `${week}&lang=en`, headers: visitor });
  // Every request is different: the service answers identical concurrent requests only once, which a page can't be.
  const list = Array.from({ length: 60 }, (_, second) =>
    Array.from({ length: Math.ceil(SESSIONS / PAGE) }, (_page, n) =>
      prepare({
        method: 'GET',
        path: `/api/v2/events?fields=${SHOWN}&expand=venue,instructors&local_starts_at_gte=${MONDAY}T00:00&local_starts_at_lte=2027-03-07T23:59:${String(second).padStart(2, '0')}&page=${n + 1}&page_size=${PAGE}`,
        headers: { host, 'service-provider-id': String(provider) },
      }),
    ),
  );
  const kept = prepare({ method: 'GET', path: week, headers: visitor });
  const constant = prepare({ method: 'GET', path: '/account/style.css', headers: visitor });
  /** Returns how many times per second all requests of one of these are completed. */
  const perSecond = (all: readonly (readonly PreparedRequest[])[]) => {
    const requests = all.flat();
    return async () =>
      (await readFor(seconds, server, (i) => requests[i % requests.length])) / (requests.length / all.length);
  };
  const row = async (
    name: string,
    ours: readonly (readonly PreparedRequest[])[],
    theirs: readonly (readonly PreparedRequest[])[],
  ) => {
    await perSecond(ours)();
    await perSecond(theirs)();
    const figures = await paired(turns, perSecond(ours), perSecond(theirs));
    report.add({ name, ...figures, reach: 0.5, unit: '/s' });
  };
  await row(`timetable with ${SESSIONS} sessions, against GET /events with them`, [[made]], list);
  await row('the same page kept in memory, against a text that never changes', [[kept]], [[constant]]);
  await db.transaction(provider, (tx) =>
    tx.run(
      sql`DELETE FROM event WHERE provider_id = ${provider} AND starts_at >= ${MONDAY}::timestamptz
        AND name LIKE 'Session %'`,
    ),
  );
}
