/** Facts about a business that its archive contains, and that a move to another cell needs. */
import type pg from 'pg';
import type { ArchivedBusiness } from '../../../kernel/base/archive/accounts.ts';
import type { BusinessNames } from '../../../kernel/api/cell-declarations.ts';

/** Returns null if there is no such business, or the connection's role can't see it. */
export async function movingBusiness(client: pg.ClientBase, id: number): Promise<ArchivedBusiness | null> {
  const { rows } = await client.query(
    `SELECT name, to_json(created_at) #>> '{}' AS created FROM provider WHERE provider_id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The names by which a business is found. They must be unique in the installation. */
export const movingNames = {
  async of(client: pg.ClientBase, id: number): Promise<BusinessNames | null> {
    const { rows } = await client.query<BusinessNames>(
      `SELECT name, slug, CASE WHEN site_domain_verified_at IS NOT NULL THEN site_domain END AS domain
       FROM provider WHERE provider_id = $1`,
      [id],
    );
    return rows[0] ?? null;
  },

  async taken(client: pg.ClientBase, id: number, { slug, domain }: BusinessNames): Promise<string[]> {
    const { rows } = await client.query<{ slug: boolean; domain: boolean }>(
      `SELECT slug IS NOT DISTINCT FROM $2 AS slug, site_domain IS NOT DISTINCT FROM $3 AS domain FROM provider
       WHERE provider_id <> $1 AND (slug = $2 OR site_domain = $3 AND site_domain_verified_at IS NOT NULL)`,
      [id, slug, domain],
    );
    return [
      ...rows.filter((row) => row.slug && slug !== null).map(() => `the address /${slug}`),
      ...rows.filter((row) => row.domain && domain !== null).map(() => `the domain ${domain}`),
    ];
  },
};
