/** Sitemaps for search engines: an index of all businesses that want to be listed, and the files of each. */
import { addDays, daysBetween, parseDate, weekdayOf } from '../../../kernel/base/values/date.ts';
import {
  askAs,
  eventPageOf,
  loadStaffViewer,
  inLanguage,
  nowAt,
  sitePath,
  type At,
  type Desk,
  type Ask,
} from '../frame/index.ts';
import { BUSINESSES, IN_INDEX } from './robots.ts';
import { FURTHEST_DAYS } from '../booking/index.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { LANGUAGES, type Language } from '../../../kernel/base/languages/languages.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Database, Transaction } from '../../../kernel/base/db/database.ts';
import type { Document } from '../../../kernel/pages/document.ts';

/**
 * Events in one file. A file may contain 50,000 addresses; a week of the timetables of a whole city has fewer events
 * than this.
 */
const MAX_EVENTS = 10_000;
const PAGE = 250;
const MAX_MEMBERSHIPS = 100;

/** Returns the Monday of the date's week, so that the files don't begin on another day every day. */
const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date));

const xml = (body: Html): Document => ({
  type: 'application/xml; charset=utf-8',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body.text}`,
  headers: { 'cache-control': 'public, max-age=3600' },
});

interface ListedBusiness {
  readonly slug: string;
  readonly zone: string;
  /** date of the last planned event; null: none is planned */
  readonly last: string | null;
  readonly [column: string]: unknown;
}

/** Part of the index that is requested. */
export interface OfIndex {
  readonly baseUrl: string;
  /** slug after which the index begins */
  readonly after: string;
  /** in epoch milliseconds */
  readonly now: number;
  /**
   * business at whose own host name the index is requested, which contains this business only; null: all businesses
   * without a host name
   */
  readonly business: number | null;
}

/** Returns the index of the files of every business that wants to be listed. */
export async function sitemapIndex(db: Database, { baseUrl, after, now, business }: OfIndex): Promise<Document> {
  const found = await db.readAcrossTenants<ListedBusiness>(
    'search engines find all businesses that want to be listed',
    sql`SELECT p.slug, p.timezone AS zone,
          (SELECT to_char(e.local_starts_at, 'YYYY-MM-DD') FROM event e WHERE e.provider_id = p.provider_id
            AND e.status = 'active' ORDER BY e.local_starts_at DESC LIMIT 1) AS last
        FROM provider p WHERE ${
          business === null
            ? IN_INDEX
            : sql`p.provider_id = ${business} AND p.is_listed
          AND NOT p.is_test`
        } AND p.slug > ${after} ORDER BY p.slug LIMIT ${BUSINESSES}`,
  );
  const files = found.flatMap(({ slug, zone, last }) => [
    `/${slug}/sitemap.xml`,
    ...weeksUntil(wallAt(now, zone).date, last).map((week) => `/${slug}/sitemap.xml?week=${week}`),
  ]);
  return xml(
    html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${files.map((path) => html`<sitemap><loc>${baseUrl}${path}</loc></sitemap>\n`)}</sitemapindex>
`,
  );
}

/** Returns the Mondays of all weeks up to the last planned event or the end of the timetable. */
function weeksUntil(today: string, last: string | null): string[] {
  if (last === null || last < today) return [];
  const furthest = addDays(today, FURTHEST_DAYS);
  const first = mondayOf(today);
  const weeks = Math.floor(daysBetween(first, last < furthest ? last : furthest) / 7) + 1;
  return Array.from({ length: weeks }, (_, n) => addDays(first, 7 * n));
}

/** Returns the pages of a business, or its upcoming events of a week (`week={its Monday}`). */
export function sitemapOf(desk: Desk, visit: At): Promise<Document> {
  const week = visit.query.get('week');
  return desk.door.db.lookingAnywhere(visit.site.id, async (tx) => {
    const listed = await tx.one(
      sql`SELECT FROM provider WHERE provider_id = ${visit.site.id} AND is_listed AND NOT is_test`,
    );
    if (!listed) throw notFound();
    const { viewer } = await loadStaffViewer(tx, visit, null);
    const ask = askAs(desk, visit, viewer, tx);
    const places = week === null ? await pagesOf(ask, visit) : await eventsIn(ask, visit, tx, week);
    return xml(html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${places.map(
  (place) =>
    html`<url><loc>${visit.baseUrl}${place.path}</loc>${
      place.changed === null ? null : html`<lastmod>${place.changed}</lastmod>`
    }${place.languages ? alternates(visit, place.path) : null}</url>\n`,
)}</urlset>
`);
  });
}

interface Place {
  readonly path: string;
  /** ISO 8601; null: unknown */
  readonly changed: string | null;
  /** the page has an address for each language */
  readonly languages: boolean;
}

/** Returns true at the business's own host name, where the home page is at the root. */
const isAtOwnHost = ({ site: { host }, baseUrl }: At): boolean => host === new URL(baseUrl).hostname;

const translated = (path: string): Place => ({ path, changed: null, languages: true });

async function pagesOf(ask: Ask, visit: At): Promise<readonly Place[]> {
  const { site } = visit;
  const { results } = await ask('GET /memberships', {
    query: { fields: 'id', for_sale: true, page_size: MAX_MEMBERSHIPS },
  });
  return [
    translated(isAtOwnHost(visit) ? '/' : sitePath(site, 'home')),
    ...(['timetable', 'memberships'] as const).map((name) => translated(sitePath(site, name))),
    ...results.map(({ id }: { id: number }) => translated(`${sitePath(site, 'memberships')}/${id}`)),
  ];
}

/** Lists the timetable first, because a sitemap without any address is invalid. */
async function eventsIn(ask: Ask, visit: At, tx: Transaction, week: string): Promise<readonly Place[]> {
  const { site } = visit;
  const today = wallAt(nowAt(visit), site.tenant.zone).date;
  const monday = parseDate(week);
  if (monday === null || monday !== mondayOf(monday)) throw notFound();
  if (monday < mondayOf(today) || monday > addDays(today, FURTHEST_DAYS)) throw notFound();
  const ids: number[] = [];
  for (let page = 1; ids.length < MAX_EVENTS; page++) {
    const { results, next } = await ask('GET /events', {
      query: {
        fields: 'id',
        status: 'active',
        starts_at_gte: new Date(nowAt(visit)).toISOString(),
        local_starts_at_gte: `${monday}T00:00`,
        local_starts_at_lte: `${addDays(monday, 6)}T23:59:59`,
        page,
        page_size: PAGE,
      },
    });
    ids.push(...results.map(({ id }: { id: number }) => id));
    if (next === null) break;
  }
  const rows = await tx.rows<{ id: number; changed: number }>(
    sql`SELECT id, updated_at AS changed FROM event WHERE provider_id = ${site.id} AND id = ANY(${ids}::bigint[])
      ORDER BY starts_at, id`,
  );
  return [
    translated(sitePath(site, 'timetable')),
    ...rows.map(({ id, changed }) => ({
      path: eventPageOf(site, id),
      changed: new Date(changed).toISOString(),
      languages: false,
    })),
  ];
}

function alternates({ baseUrl }: At, path: string): Html {
  const to = (language: Language | null) => baseUrl + inLanguage({ path, query: new URLSearchParams() }, language);
  return html`${(Object.keys(LANGUAGES) as Language[]).map(
    (one) => html`<xhtml:link rel="alternate" hreflang="${one}" href="${to(one)}"/>`,
  )}<xhtml:link rel="alternate" hreflang="x-default" href="${to(null)}"/>`;
}
