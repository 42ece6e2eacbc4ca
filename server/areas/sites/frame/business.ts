/** The business that the pages belong to: its data and its look. */
import { AND_ITS_CLOCK, isSlug, TENANT_COLUMNS, tenantOf, type TenantRow } from '../../platform/providers/index.ts';
import { brandOf, shownPicture, themePath, type Look } from './brand.ts';
import { at, type Entrance } from './entrance.ts';
import { storedImage } from '../../platform/images/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { readerIn, type Reader } from '../../../kernel/base/languages/languages.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Picture } from '../../../kernel/pages/picture.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';

export interface Business extends Entrance {
  readonly id: number;
  readonly tenant: Tenant;
  /** of its booking site; null if it has none */
  readonly slug: string | null;
  readonly look: Look;
  /** at the top of its home page */
  readonly cover: Picture | null;
  readonly description: string;
  /** ISO 3166 alpha-2 */
  readonly country: string;
  readonly reader: Reader;
  /** people who sign up are asked whether they want to hear from the business */
  readonly asksForConsent: boolean;
  /** people may log in by a link in an email */
  readonly logInLinks: boolean;
  /** people may book and buy without an account */
  readonly sellsToGuests: boolean;
  /** how customers reach the business; null if unknown */
  readonly contact: { readonly email: string | null; readonly phone: string | null };
  readonly venues: readonly { readonly id: number; readonly name: string }[];
  /** what it offers besides classes and memberships, each with a page in the menu */
  readonly offers: readonly Extra[];
}

/** Pages of the menu that only some businesses have. */
export type Extra = 'book' | 'courses' | 'shop' | 'gift-cards' | 'library';

export const isOfBusiness = (visit: Visit<Entrance>): visit is Visit<Business> => visit.site.id !== null;

const MAX_VENUES = 200;

/**
 * Returns a function that finds businesses by the id in a path. `publicUrl`: address of the installation, where all of
 * them are served.
 */
export const businesses =
  (db: Database, publicUrl?: string) =>
  async ({ provider_id }: Readonly<Record<string, string>>, host?: string): Promise<Business | null> =>
    /^[1-9]\d{0,14}$/.test(provider_id ?? '')
      ? unlessForeign(db, await load(db, Number(provider_id)), host, publicUrl)
      : null;

/**
 * Returns the business unless the host name belongs to another one: nobody's pages are served under the host name of
 * another business.
 */
export async function unlessForeign(
  db: Database,
  found: Business | null,
  host: string | undefined,
  publicUrl: string | undefined,
): Promise<Business | null> {
  if (!found || host === undefined || host === found.host || isMain(host, publicUrl)) return found;
  const owner = await ownerOf(db, host);
  return owner === null || owner === found.id ? found : null;
}

const isMain = (host: string, publicUrl: string | undefined): boolean =>
  publicUrl !== undefined && new URL(publicUrl).hostname === host;

/**
 * Returns the id of the business with this host name; null if there is none, or if none has proved that it owns the
 * name.
 */
export async function ownerOf(db: Database, host: string): Promise<number | null> {
  const found = await db.acrossTenants('a booking site is found by its host name, before its business is known', (tx) =>
    tx.one<{ id: number }>(
      sql`SELECT provider_id AS id FROM provider WHERE site_domain = ${host} AND site_domain_verified_at IS NOT NULL`,
    ),
  );
  return found?.id ?? null;
}

/** Finds the business of a booking site by its own host name. */
export async function businessByHost(db: Database, host: string, publicUrl?: string): Promise<Business | null> {
  const owner = isMain(host, publicUrl) ? null : await ownerOf(db, host);
  return owner === null ? null : load(db, owner);
}

/** Finds the business of a booking site by the name in its address. */
export async function businessBySlug(db: Database, slug: string): Promise<Business | null> {
  const found = await db.acrossTenants('a booking site is found by its name, before its business is known', (tx) =>
    tx.one<{ id: number }>(sql`SELECT provider_id AS id FROM provider WHERE slug = ${slug}`),
  );
  return found ? load(db, found.id) : null;
}

/**
 * Returns a function that finds the business of an unknown page, by the requested path (below `/account/{id}`, or at
 * the business's name) and host name; otherwise the only business of the installation. Null if there is none.
 */
export const businessAround =
  (db: Database, publicUrl: string | undefined) =>
  async (path: string, host: string): Promise<Business | null> => {
    const [, first = '', second = ''] = path.split('/');
    const named =
      first === 'account'
        ? await businesses(db, publicUrl)({ provider_id: second }, host)
        : isSlug(first)
          ? await unlessForeign(db, await businessBySlug(db, first), host, publicUrl)
          : null;
    return named ?? (await businessByHost(db, host, publicUrl)) ?? (await onlyBusiness(db)());
  };

/** Returns the only business of an installation; null if there are several or none. */
const onlyBusiness = (db: Database) => async (): Promise<Business | null> => {
  const found = await db.acrossTenants('a page that belongs to no business is shown by the only one', (tx) =>
    tx.rows<{ id: number }>(sql`SELECT provider_id AS id FROM provider ORDER BY provider_id LIMIT 2`),
  );
  return found.length === 1 ? load(db, found[0].id) : null;
};

const LOOK = sql`p.brand_color, p.brand_font, p.brand_heading_font, p.brand_heading_size,
  ${storedImage('h', raw('h.logo_id'))} AS logo, ${storedImage('h', raw('h.cover_id'))} AS cover, ${storedImage(
    'h',
    raw('h.homescreen_logo_id'),
  )} AS icon`;

/** Selects the extras of a business that customers can see. */
const OFFERS = (id: number): Sql => sql`array_remove(ARRAY[
  CASE WHEN EXISTS (SELECT FROM offering_type WHERE provider_id = ${id} AND status = 'active'
    AND customer_visibility = 'public' AND schedule_type IN ('appointment', 'room_rental')) THEN 'book' END,
  CASE WHEN EXISTS (SELECT FROM course WHERE provider_id = ${id} AND published) THEN 'courses' END,
  CASE WHEN EXISTS (SELECT FROM store_product WHERE provider_id = ${id} AND for_sale AND visible_to_customers)
    THEN 'shop' END,
  CASE WHEN EXISTS (SELECT FROM gift_card_settings WHERE provider_id = ${id} AND sold_to_customers)
    THEN 'gift-cards' END,
  CASE WHEN EXISTS (SELECT FROM content_collection WHERE provider_id = ${id} AND published) THEN 'library' END], NULL)
  AS offers`;

const lookOf = (id: number, row: Record<string, any>): Look => ({
  id,
  name: row.name,
  color: row.brand_color,
  font: row.brand_font,
  headingFont: row.brand_heading_font,
  headingSize: row.brand_heading_size,
  logo: row.logo,
  cover: row.cover,
  icon: row.icon,
});

async function load(db: Database, id: number): Promise<Business | null> {
  const [[row], venues] = await db.transaction(id, (tx) =>
    tx.all([
      sql`SELECT p.name, p.slug, p.description, ${
        LOOK
      }, p.contact_email, p.contact_phone_number, p.is_marketing_preference_on_customer_forms,
        p.log_in_links, p.sells_to_guests, ${OFFERS(id)},
          CASE WHEN p.site_domain_verified_at IS NOT NULL THEN p.site_domain END AS host, ${TENANT_COLUMNS}
          FROM provider p ${AND_ITS_CLOCK} LEFT JOIN provider_theme h ON h.provider_id = p.provider_id
          WHERE p.provider_id = ${id}`,
      sql`SELECT id, name FROM venue WHERE provider_id = ${id} AND NOT archived ORDER BY name, id LIMIT ${MAX_VENUES}`,
    ]),
  );
  if (!row) return null;
  const look = lookOf(id, row);
  return {
    id,
    name: row.name,
    slug: row.slug,
    home: row.slug === null ? at({ id }, 'profile') : `/${row.slug}`,
    host: row.host,
    theme: themePath(look),
    brand: brandOf(look),
    look,
    cover: shownPicture(look.cover),
    description: row.description,
    country: row.country,
    reader: readerIn(row.country, row.language),
    tenant: tenantOf(id, row as TenantRow),
    logInLinks: row.log_in_links,
    sellsToGuests: row.sells_to_guests,
    asksForConsent: row.is_marketing_preference_on_customer_forms,
    contact: { email: row.contact_email, phone: row.contact_phone_number },
    offers: row.offers,
    venues: venues as { id: number; name: string }[],
  };
}
