import { isZone } from '../../../kernel/base/values/zone.ts';
import { isCurrency } from '../../../kernel/base/values/money.ts';
import { makeTestClock } from '../../../kernel/work/clock/test-clock.ts';
import { freeSlug, slugOf } from './slug.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { takenElsewhere, type OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** lock held while a name is chosen */
const SLUGS = 771_017;

/** lock held while the first business is created */
const FIRST = 771_003;

export interface NewProvider {
  name: string;
  /** IANA name */
  timezone: string;
  /** ISO 4217 */
  currency: string;
  /** ISO 3166 alpha-2 */
  country: string;
  /** its clock can be advanced, and it takes no money, until it goes live */
  test?: boolean;
  /** the other cells of the installation, whose businesses have addresses, too */
  cells?: OtherCells | null;
}

/** Creates a business and returns its id. Needs a transaction across tenants, because there is no tenant yet. */
export async function createProvider(
  tx: Transaction,
  { name, timezone, currency, country, test = false, cells = null }: NewProvider,
): Promise<number> {
  if (!isZone(timezone))
    throw new Error(`"${timezone}" is not a time zone; use an IANA name, for example America/Toronto`);
  if (!isCurrency(currency.toUpperCase()))
    throw new Error(`"${currency}" is not a currency; use an ISO 4217 code, for example CAD`);
  if (!/^[A-Za-z]{2}$/.test(country))
    throw new Error(`"${country}" is not a country; use an ISO 3166 code, for example CA`);
  const row = await tx.one<{ provider_id: number }>(
    sql`INSERT INTO provider (name, slug, timezone, currency, country, is_test)
        VALUES (${name}, ${await slugFor(tx, name, cells)}, ${timezone}, ${currency.toUpperCase()},
          ${country.toUpperCase()}, ${test})
        RETURNING provider_id`,
  );
  if (test) await makeTestClock(tx, row!.provider_id);
  return row!.provider_id;
}

/** Returns whether the installation has any business. */
export const hasBusiness = async (tx: Transaction): Promise<boolean> =>
  (await tx.one(sql`SELECT FROM provider LIMIT 1`)) !== undefined;

/**
 * Returns whether there never was a business: then the access of credentials has never changed. Deleting a business
 * changes it for the business's staff.
 */
export const isUntouched = async (tx: Transaction): Promise<boolean> =>
  !(await hasBusiness(tx)) && (await tx.one(sql`SELECT FROM access_epoch WHERE value = 0`)) !== undefined;

/** Returns whether a business created in this transaction is the first: of two concurrent ones, only one is. */
export async function isFirstBusiness(tx: Transaction): Promise<boolean> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(${FIRST})`);
  return !(await hasBusiness(tx));
}

/**
 * Returns a free slug for the name. If two businesses with one name are created at the same time, the second waits for
 * the first.
 */
async function slugFor(tx: Transaction, name: string, cells: OtherCells | null): Promise<string | null> {
  const wanted = slugOf(name);
  if (wanted === null) return null;
  const begins = wanted.slice(0, 50);
  // Before the lock: a slow cell doesn't block anybody else.
  const elsewhere = await takenElsewhere(cells, `slug:${begins}`);
  await tx.run(sql`SELECT pg_advisory_xact_lock(${SLUGS})`);
  const taken = await tx.rows<{ slug: string }>(sql`SELECT slug FROM provider WHERE slug LIKE ${`${begins}%`}`);
  return freeSlug(
    wanted,
    new Set([...taken.map(({ slug }) => slug), ...elsewhere.map((one) => one.slice('slug:'.length))]),
  );
}
