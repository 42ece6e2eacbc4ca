import { isZone } from '../../kernel/values/zone.ts';
import { isCurrency } from '../../kernel/values/money.ts';
import { sql } from '../../kernel/db/sql.ts';
import type { Transaction } from '../../kernel/db/database.ts';

export interface NewProvider {
  name: string;
  /** IANA name */
  timezone: string;
  /** ISO 4217 */
  currency: string;
  /** ISO 3166 alpha-2 */
  country: string;
}

/** Makes a business; needs a transaction across tenants, for it has none yet. Returns its id. */
export async function createProvider(tx: Transaction, { name, timezone, currency, country }: NewProvider): Promise<number> {
  if (!isZone(timezone)) throw new Error(`"${timezone}" is no time zone; use an IANA name such as America/Toronto`);
  if (!isCurrency(currency.toUpperCase())) throw new Error(`"${currency}" is no currency; use an ISO 4217 code such as CAD`);
  if (!/^[A-Za-z]{2}$/.test(country)) throw new Error(`"${country}" is no country; use an ISO 3166 code such as CA`);
  const row = await tx.one<{ provider_id: number }>(
    sql`INSERT INTO provider (name, timezone, currency, country)
        VALUES (${name}, ${timezone}, ${currency.toUpperCase()}, ${country.toUpperCase()}) RETURNING provider_id`,
  );
  return row!.provider_id;
}
