/** The venue that the rows of a file name. */
import { constantTemplate, type Template } from '../../../../kernel/base/csv/template.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { templateOf, type Portion } from './portion.ts';

/**
 * Returns the venue of a row: its column, or the only venue if the cell is empty or there is no such column. Null if
 * there is no column and the business has several venues.
 */
export async function venueOf(portion: Portion): Promise<Template | null> {
  const column = templateOf(portion, 'venue');
  const { tx, providerId } = portion.work;
  const venues = await tx.rows<{ name: string }>(
    sql`SELECT name FROM venue WHERE provider_id = ${providerId} AND NOT archived ORDER BY id LIMIT 2`,
  );
  const only = venues.length === 1 ? venues[0].name : null;
  if (column) return { ...column, fill: (cells) => column.fill(cells) ?? only };
  if (venues.length > 1) return null;
  const business = await tx.one<{ name: string }>(sql`SELECT name FROM provider WHERE provider_id = ${providerId}`);
  return constantTemplate(only ?? business!.name);
}
