/** Facts about a customer that are needed to find rows about them. */
import { ofPerson, type CustomerRow } from '../../people/customers/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { OfPerson } from '../../../kernel/base/db/table.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The table whose rows are customers: a row that references it is about a person. */
export const PEOPLE = 'customer';

export async function personOf(work: Pick<Work, 'tx' | 'providerId'>, row: CustomerRow): Promise<OfPerson> {
  const numbers = await work.tx.rows<{ full_number: string | null }>(
    sql`SELECT full_number FROM sms_account WHERE provider_id = ${work.providerId} AND customer_id = ${row.id}`,
  );
  return {
    ...(await ofPerson(work, row)),
    phones: numbers.flatMap(({ full_number: number }) => (number === null ? [] : [number])),
  };
}
