/**
 * Venues, categories and offering types that a schedule names. An import creates missing ones and leaves the others
 * alone: their names, ages and rules belong to the business.
 */
import { insertCategories, insertOfferingTypes } from '../../offerings/index.ts';
import { insertVenues } from '../../../places/venues/index.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { Named, Session } from './read-session.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Place {
  readonly id: number;
  readonly zone: string;
}

/** Places by external id; kept in memory for the whole import, because there are few of them. */
export interface Places {
  readonly venues: Map<string, Place>;
  readonly categories: Map<string, number>;
  readonly offeringTypes: Map<string, number>;
}

/** External ids of the places that were created. */
export interface MadePlaces {
  readonly venues: readonly string[];
  readonly categories: readonly string[];
  readonly offeringTypes: readonly string[];
}

export const noPlaces = (): Places => ({ venues: new Map(), categories: new Map(), offeringTypes: new Map() });

/** Returns the places that a batch adds to `known`, which stays unchanged until the batch is committed. */
export async function placesFor(
  work: Work,
  sessions: readonly Session[],
  known: Places,
): Promise<{ added: Places; made: MadePlaces }> {
  const added = noPlaces();
  const missing = <T extends Named>(
    of: (s: Session) => T | null,
    ids: ReadonlyMap<string, unknown>,
  ): Map<string, T & { zone: string; category: string | null }> => {
    const found = new Map<string, T & { zone: string; category: string | null }>();
    for (const session of sessions) {
      const one = of(session);
      if (one && !ids.has(one.externalId) && !found.has(one.externalId)) {
        found.set(one.externalId, { ...one, zone: session.zone, category: session.category?.externalId ?? null });
      }
    }
    return found;
  };
  const venues = missing((s) => s.venue, known.venues);
  const madeVenues = await insertMissing(work, 'venue', [...venues.values()], insertVenues);
  if (venues.size > 0) {
    const rows = await work.tx.rows<{ external_id: string; id: number; timezone: string }>(
      sql`SELECT external_id, id, timezone FROM venue
        WHERE provider_id = ${work.providerId} AND external_id = ANY(${[...venues.keys()]}::text[])`,
    );
    for (const row of rows) added.venues.set(row.external_id, { id: row.id, zone: row.timezone });
  }

  const categories = missing((s) => s.category, known.categories);
  const madeCategories = await insertMissing(
    work,
    'offering_type_category',
    [...categories.values()],
    insertCategories,
  );
  for (const row of await idsOf(work, 'offering_type_category', [...categories.keys()]))
    added.categories.set(row.external_id, row.id);

  const categoryId = (name: string | null) =>
    name === null ? null : (added.categories.get(name) ?? known.categories.get(name) ?? null);
  const types = missing((s) => s.offeringType, known.offeringTypes);
  const madeTypes = await insertMissing(work, 'offering_type', [...types.values()], (_work, rows) =>
    insertOfferingTypes(
      work,
      rows.map((row) => ({ ...row, category: categoryId(row.category) })),
    ),
  );
  for (const row of await idsOf(work, 'offering_type', [...types.keys()]))
    added.offeringTypes.set(row.external_id, row.id);
  return { added, made: { venues: madeVenues, categories: madeCategories, offeringTypes: madeTypes } };
}

/**
 * Inserts missing rows and returns their external ids. Reads first, because an INSERT that ends in a conflict would use
 * up an id each time.
 */
async function insertMissing<T extends Named>(
  work: Work,
  table: string,
  wanted: readonly T[],
  insert: (work: Work, rows: readonly T[]) => Promise<string[]>,
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const known = new Set(
    (
      await idsOf(
        work,
        table,
        wanted.map((w) => w.externalId),
      )
    ).map((row) => row.external_id),
  );
  const rows = wanted.filter((w) => !known.has(w.externalId));
  return rows.length === 0 ? [] : insert(work, rows);
}

async function idsOf(
  work: Work,
  table: string,
  externalIds: readonly string[],
): Promise<{ external_id: string; id: number }[]> {
  if (externalIds.length === 0) return [];
  return work.tx.rows(
    sql`SELECT external_id, id FROM ${raw(table)}
      WHERE provider_id = ${work.providerId} AND external_id = ANY(${externalIds}::text[])`,
  );
}
