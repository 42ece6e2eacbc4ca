/** Bulk insertion of categories and offering types for an import. Existing ones are left unchanged. */
import { offeringTypeCategoryFeed, offeringTypeFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface ImportedCategory {
  readonly externalId: string;
  readonly name: string;
}

interface ImportedOfferingType extends ImportedCategory {
  /** id of its category */
  readonly category: number | null;
  readonly minAge: number | null;
  readonly maxAge: number | null;
}

interface Made {
  readonly id: number;
  readonly external_id: string;
}

/** Inserts categories and returns the external ids of those that were created. */
export async function insertCategories(work: Work, rows: readonly ImportedCategory[]): Promise<string[]> {
  const at = instant(work.now);
  const made = await work.tx.rows<Made>(sql`
    INSERT INTO offering_type_category (provider_id, external_id, name, created_at, updated_at)
    SELECT ${work.providerId}::bigint, e, n, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${rows.map((r) => r.externalId)}::text[], ${rows.map((r) => r.name)}::text[]) AS r (e, n)
    ON CONFLICT (provider_id, external_id) DO NOTHING RETURNING id, external_id`);
  for (const { id } of made) work.record(offeringTypeCategoryFeed.created, id, { offering_type_category: id });
  return made.map((row) => row.external_id);
}

/** Inserts offering types and returns the external ids of those that were created. */
export async function insertOfferingTypes(work: Work, rows: readonly ImportedOfferingType[]): Promise<string[]> {
  const at = instant(work.now);
  const made = await work.tx.rows<Made>(sql`
    INSERT INTO offering_type (provider_id, external_id, name, category_id, min_allowed_age, max_allowed_age,
      created_at, updated_at)
    SELECT ${work.providerId}::bigint, e, n, c, low, high, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${rows.map((r) => r.externalId)}::text[], ${rows.map((r) => r.name)}::text[],
      ${rows.map((r) => r.category)}::bigint[],
                ${rows.map((r) => r.minAge)}::int[], ${rows.map((r) => r.maxAge)}::int[]) AS r (e, n, c, low, high)
    ON CONFLICT (provider_id, external_id) DO NOTHING RETURNING id, external_id`);
  for (const { id } of made) work.record(offeringTypeFeed.created, id, { offering_type: id });
  return made.map((row) => row.external_id);
}
