/** The business whose pages they are: what stands on them, and its colours. */
import { AND_ITS_CLOCK, TENANT_COLUMNS, tenantOf, type TenantRow } from '../../platform/providers/index.ts';
import { readableOn, textOn } from '../../../kernel/values/color.ts';
import { sql } from '../../../kernel/db/sql.ts';
import type { Database } from '../../../kernel/db/database.ts';
import type { Document } from '../../../kernel/api/document.ts';
import type { Site } from '../../../kernel/pages/visit.ts';
import type { Tenant } from '../../../kernel/work.ts';

export interface Business extends Site {
  readonly id: number;
  readonly tenant: Tenant;
  readonly color: string | null;
  readonly description: string;
  /** ISO 3166 alpha-2 */
  readonly country: string;
  /** ask people who sign up whether they want to hear from the business */
  readonly asksForConsent: boolean;
  /** people may log in by a link that is mailed */
  readonly logInLinks: boolean;
  /** how customers reach the business; null: it said nothing */
  readonly contact: { readonly email: string | null; readonly phone: string | null };
  readonly venues: readonly { readonly id: number; readonly name: string }[];
}

const MOST_VENUES = 200;

/** Where a page of a business is. */
export const at = (business: { readonly id: number }, page: string): string => `/account/${business.id}/${page}`;

/** Finds businesses by the id in a path. */
export const businesses =
  (db: Database) =>
  async ({ provider_id }: Readonly<Record<string, string>>): Promise<Business | null> =>
    /^[1-9]\d{0,14}$/.test(provider_id ?? '') ? load(db, Number(provider_id)) : null;

/** Finds the business of a booking site by the name in its address. */
export async function businessBySlug(db: Database, slug: string): Promise<Business | null> {
  const found = await db.acrossTenants('a booking site is found by its name, before its business is known', (tx) =>
    tx.one<{ id: number }>(sql`SELECT provider_id AS id FROM provider WHERE slug = ${slug}`),
  );
  return found ? load(db, found.id) : null;
}

/** The one business of an installation; null: there are several, or none. */
export const onlyBusiness = (db: Database) => async (): Promise<Business | null> => {
  const found = await db.acrossTenants('a page that belongs to no business is shown by the only one', (tx) =>
    tx.rows<{ id: number }>(sql`SELECT provider_id AS id FROM provider ORDER BY provider_id LIMIT 2`),
  );
  return found.length === 1 ? load(db, found[0].id) : null;
};

async function load(db: Database, id: number): Promise<Business | null> {
  const [[row], venues] = await db.transaction(id, (tx) =>
    tx.all([
      sql`SELECT p.name, p.slug, p.description, p.country, p.brand_color, p.contact_email, p.contact_phone_number, p.is_marketing_preference_on_customer_forms, p.log_in_links, ${TENANT_COLUMNS}
          FROM provider p ${AND_ITS_CLOCK} WHERE p.provider_id = ${id}`,
      sql`SELECT id, name FROM venue WHERE provider_id = ${id} AND NOT archived ORDER BY name, id LIMIT ${MOST_VENUES}`,
    ]),
  );
  if (!row) return null;
  const color: string | null = row.brand_color;
  return {
    id,
    name: row.name,
    home: row.slug === null ? at({ id }, 'profile') : `/${row.slug}`,
    theme: color === null ? null : at({ id }, `theme.css?v=${color.slice(1)}`),
    color,
    description: row.description,
    country: row.country,
    tenant: tenantOf(id, row as TenantRow),
    logInLinks: row.log_in_links,
    asksForConsent: row.is_marketing_preference_on_customer_forms,
    contact: { email: row.contact_email, phone: row.contact_phone_number },
    venues: venues as { id: number; name: string }[],
  };
}

/** What cards are made of in style.css, light and dark: links stand on them. */
const PAPER = { light: '#f3f5f7', dark: '#1a2128' };

/** The colours of a business as a style sheet. Whatever colour it chose, everything on it and beside it can be read. */
export function themeOf({ color }: Pick<Business, 'color'>): Document {
  const body =
    color === null
      ? ''
      : `:root { --brand: ${color}; --on-brand: ${textOn(color)}; --brand-edge: ${readableOn(PAPER.light, color)}; --link: ${readableOn(PAPER.light, color)} }
@media (prefers-color-scheme: dark) { :root { --brand-edge: ${readableOn(PAPER.dark, color)}; --link: ${readableOn(PAPER.dark, color)} } }
`;
  return { type: 'text/css; charset=utf-8', body, headers: {} };
}
