/** The import of many venues in one call. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { venueFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface ImportedVenue {
  readonly externalId: string;
  readonly name: string;
  /** IANA name */
  readonly zone: string;
}

/** Inserts venues; existing ones are unchanged. Returns the external ids of those that were created. */
export async function insertVenues(work: Work, rows: readonly ImportedVenue[]): Promise<string[]> {
  const at = instant(work.now);
  const made = await work.tx.rows<{ id: number; external_id: string }>(sql`
    INSERT INTO venue (provider_id, external_id, name, timezone, created_at, updated_at)
    SELECT ${work.providerId}::bigint, e, n, z, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${rows.map((r) => r.externalId)}::text[], ${rows.map((r) => r.name)}::text[],
      ${rows.map((r) => r.zone)}::text[]) AS r (e, n, z)
    ON CONFLICT (provider_id, external_id) DO NOTHING RETURNING id, external_id`);
  for (const { id } of made) work.record(venueFeed.created, id, { venue: id });
  return made.map((row) => row.external_id);
}
