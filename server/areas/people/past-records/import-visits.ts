/** Past visits of imported files. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { takeIds } from '../../../kernel/work/unit/row.ts';
import type { VisitStatus } from './past-visit.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface ImportedVisit {
  /** 1 to 400 characters; null: it is identified by its customer, day, time and name */
  readonly externalId: string | null;
  readonly customer: number;
  readonly name: string | null;
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM; null if only the day is known */
  readonly time: string | null;
  readonly status: VisitStatus;
  readonly instructor: string | null;
  readonly venue: string | null;
}

export interface WrittenVisit {
  readonly id: number;
  readonly fate: 'created' | 'changed' | 'unchanged';
}

/** Returns the text that identifies a visit in its source. */
export const visitKey = ({ externalId, customer, date, time, name }: ImportedVisit): string =>
  externalId === null ? JSON.stringify([customer, date, time, name?.toLowerCase() ?? null]) : `id ${externalId}`;

/**
 * Creates the visits of a source, and changes those that differ. Returns the result of each, in order. The keys of the
 * visits must be different.
 */
export async function importVisits(
  work: Work,
  source: string,
  visits: readonly ImportedVisit[],
): Promise<WrittenVisit[]> {
  if (visits.length === 0) return [];
  const known = await storedVisits(work, source, visits);
  const fresh = visits.filter((visit) => !known.has(visitKey(visit)));
  const ids = fresh.length === 0 ? [] : await takeIds(work, 'past_visit', fresh.length);
  const written = visits.map((visit): WrittenVisit => {
    const before = known.get(visitKey(visit));
    if (!before) return { id: ids.shift()!, fate: 'created' };
    return { id: before.id, fate: before.content === contentIn(visit) ? 'unchanged' : 'changed' };
  });
  const rowsWith = (fate: WrittenVisit['fate']) =>
    visits.flatMap((visit, i) => (written[i].fate === fate ? [{ ...visit, id: written[i].id }] : []));
  await insertVisits(work, source, rowsWith('created'));
  await changeVisits(work, rowsWith('changed'));
  return written;
}

interface StoredVisit {
  readonly id: number;
  readonly content: string;
}

/** Finds visits by their keys. A customer who was merged has another id than the key: their visits are found too. */
async function storedVisits(
  { tx, providerId }: Work,
  source: string,
  visits: readonly ImportedVisit[],
): Promise<Map<string, StoredVisit>> {
  const unnamed = visits.filter(({ externalId }) => externalId === null);
  const rows = await tx.rows<ImportedVisit & { id: number; key: string }>(
    sql`SELECT id, source_key AS key, CASE WHEN source_key LIKE 'id %' THEN source_key END AS "externalId",
          customer_id AS customer, name, date::text AS date, to_char(start_time, 'HH24:MI') AS time, status,
          instructor_name AS instructor, venue_name AS venue
        FROM past_visit WHERE provider_id = ${providerId} AND source = ${source}
          AND source_key = ANY(${visits.map(visitKey)}::text[])
        UNION SELECT v.id, v.source_key, NULL, v.customer_id, v.name, v.date::text, to_char(v.start_time, 'HH24:MI'),
          v.status, v.instructor_name, v.venue_name
        FROM unnest(${unnamed.map(({ customer }) => customer)}::bigint[],
          ${unnamed.map(({ date }) => date)}::date[]) AS u (customer, date)
        JOIN past_visit v ON v.provider_id = ${providerId} AND v.customer_id = u.customer AND v.date = u.date
        WHERE v.source = ${source} AND v.source_key NOT LIKE 'id %'`,
  );
  const byKey = new Map(rows.map((row) => [row.key, { id: row.id, content: contentIn(row) }]));
  for (const row of rows) {
    if (row.externalId !== null) continue;
    const key = visitKey(row);
    if (!byKey.has(key)) byKey.set(key, { id: row.id, content: contentIn(row) });
  }
  return byKey;
}

type Row = ImportedVisit & { readonly id: number };

/** Returns the columns of rows as arrays. */
const arraysIn = (rows: readonly Row[]) => sql`unnest(${rows.map((v) => v.id)}::bigint[],
  ${rows.map((v) => v.customer)}::bigint[], ${rows.map((v) => v.name)}::text[], ${rows.map((v) => v.date)}::date[],
  ${rows.map((v) => v.time)}::time[], ${rows.map((v) => v.status)}::text[], ${rows.map((v) => v.instructor)}::text[],
  ${rows.map((v) => v.venue)}::text[], ${rows.map(visitKey)}::text[])
  AS v (id, customer, name, date, time, status, instructor, venue, key)`;

async function insertVisits({ tx, providerId, now }: Work, source: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const at = instant(now);
  await tx.run(sql`
    INSERT INTO past_visit (provider_id, id, customer_id, name, date, start_time, status, instructor_name, venue_name,
      source, source_key, created_at, updated_at)
    SELECT ${providerId}::bigint, v.id, v.customer, v.name, v.date, v.time, v.status, v.instructor, v.venue,
      ${source}, v.key, ${at}::timestamptz, ${at}::timestamptz
    FROM ${arraysIn(rows)}`);
}

async function changeVisits({ tx, providerId, now }: Work, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(sql`
    UPDATE past_visit p SET customer_id = v.customer, name = v.name, date = v.date, start_time = v.time,
      status = v.status, instructor_name = v.instructor, venue_name = v.venue, updated_at = ${instant(now)}::timestamptz
    FROM ${arraysIn(rows)} WHERE p.provider_id = ${providerId} AND p.id = v.id`);
}

/** Returns everything that can differ. */
const contentIn = ({ customer, name, date, time, status, instructor, venue }: ImportedVisit): string =>
  JSON.stringify([customer, name, date, time, status, instructor, venue]);

/** Deletes visits that were imported by mistake. Nothing is built on a visit, so none is kept. */
export async function takeBackVisits({ tx, providerId }: Work, ids: readonly number[]): Promise<Map<number, string>> {
  await tx.run(sql`DELETE FROM past_visit WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`);
  return new Map();
}
