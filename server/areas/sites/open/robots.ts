/** Rules for crawlers, and the addresses of the sitemaps. */
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Document } from '../../../kernel/pages/document.ts';

/** Businesses in one index: with a file for each available week, it stays below the limit of 50,000 files. */
export const BUSINESSES = 400;

/**
 * Businesses that want to be listed, at an address below that of the installation; one with its own host name has an
 * index of its own.
 */
export const IN_INDEX = raw('is_listed AND NOT is_test AND slug IS NOT NULL AND site_domain_verified_at IS NULL');

const isListed = (db: Database, business: number): Promise<boolean> =>
  db.looking(
    business,
    async (tx) =>
      (await tx.one(sql`SELECT FROM provider WHERE provider_id = ${business} AND is_listed AND NOT is_test`)) !==
      undefined,
  );

/** Returns the slugs after which the later indexes begin; the first index needs none. */
const laterIndexes = async (db: Database): Promise<readonly string[]> => {
  const rows = await db.readAcrossTenants<{ slug: string }>(
    'programs are told where the indexes of all listed businesses are',
    sql`SELECT slug FROM (SELECT slug, row_number() OVER (ORDER BY slug) AS n, count(*) OVER () AS of FROM provider
      WHERE ${IN_INDEX}) p
        WHERE n % ${BUSINESSES} = 0 AND n < of ORDER BY slug`,
  );
  return rows.map(({ slug }) => slug);
};

/**
 * Older links lead to the pages of events below /account, which redirect, so these are allowed one by one. Views of the
 * timetable that differ in a filter or a day are very many and show nothing new.
 */
const RULES = `User-agent: *
Disallow: /api/
Disallow: /oauth/
Disallow: /account/
Allow: /account/style.css
Allow: /account/*/theme.css
Allow: /account/*/events/
Disallow: /account/*/events/*/
Disallow: /*?*week=
Disallow: /*?*day=
Disallow: /*?*what=
Disallow: /*?*category=
Disallow: /*?*age=
Disallow: /*?*teacher=
Disallow: /*?*place=
Disallow: /*?*free=
`;

/**
 * Returns robots.txt. `business`: the one at whose own host name it is requested, with an index of this business only;
 * null: the installation.
 */
export async function robots(db: Database, baseUrl: string, business: number | null): Promise<Document> {
  const indexes =
    business === null
      ? ['/sitemap.xml', ...(await laterIndexes(db)).map((slug) => `/sitemap.xml?after=${slug}`)]
      : (await isListed(db, business))
        ? ['/sitemap.xml']
        : [];
  return {
    type: 'text/plain; charset=utf-8',
    body: `${RULES}\n${indexes.map((path) => `Sitemap: ${baseUrl}${path}\n`).join('')}`,
    headers: { 'cache-control': 'public, max-age=3600' },
  };
}
