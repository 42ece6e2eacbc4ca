/** The country of the business, which decides how numbers of phones and amounts are written. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export const countryOf = async ({ tx, providerId }: Work): Promise<string> =>
  (await tx.one<{ country: string }>(sql`SELECT country FROM provider WHERE provider_id = ${providerId}`))!.country;
