/** What an archive says of the business that it has. */
import type pg from 'pg';
import type { ArchivedBusiness } from '../../../kernel/archive/accounts.ts';

/** Null: there is none, or the role of the connection does not see it. */
export async function movingBusiness(client: pg.ClientBase, id: number): Promise<ArchivedBusiness | null> {
  const { rows } = await client.query(
    `SELECT name, to_json(created_at) #>> '{}' AS created FROM provider WHERE provider_id = $1`,
    [id],
  );
  return rows[0] ?? null;
}
