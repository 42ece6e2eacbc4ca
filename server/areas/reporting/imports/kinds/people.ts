/** The customers that rows of other files refer to: by their external id, otherwise by their address. */
import { addressIn, issueOf, templateOf, textIn, type Issue, type Portion } from './portion.ts';
import { recall } from '../remembered.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

/** Returns by line the customer, or the reason why there is none. */
export async function customersOf(portion: Portion): Promise<Map<number, number | Issue>> {
  const { work, rows, source } = portion;
  const [idColumn, mailColumn] = [templateOf(portion, 'customer_external_id'), templateOf(portion, 'customer_email')];
  const asked = rows.map((row) => ({
    row,
    id: textIn(idColumn, row),
    email: addressIn(mailColumn, row)?.toLowerCase() ?? null,
  }));
  const known = await recall(
    work,
    'customer',
    source,
    asked.flatMap(({ id }) => id ?? []),
  );
  const stored = await work.tx.rows<{ id: number; email: string | null }>(
    sql`SELECT id, lower(email) AS email FROM customer WHERE provider_id = ${work.providerId} AND deleted_at IS NULL
          AND (id = ANY(${[...known.values()]}::bigint[])
            OR (lower(email) = ANY(${asked.flatMap(({ email }) => email ?? [])}::text[]) AND NOT is_guest))`,
  );
  const here = new Set(stored.map(({ id }) => id));
  const byAddress = new Map(stored.flatMap(({ id, email }) => (email === null ? [] : [[email, id] as const])));
  return new Map(
    asked.map(({ row, id, email }): [number, number | Issue] => {
      const known_ = id === null ? undefined : known.get(id);
      const customer = known_ !== undefined && here.has(known_) ? known_ : byAddress.get(email ?? '');
      if (customer !== undefined) return [row.line, customer];
      const reason =
        id === null && email === null ? 'names no customer' : 'is no customer here: import the customers first';
      return [row.line, issueOf(email === null ? (idColumn ?? mailColumn) : mailColumn, row, reason)];
    }),
  );
}
