/** The fees and taxes of the business that apply to a purchase, as the rule takes them. */
import { Bounded } from '../../../kernel/api/bounded.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { WHOLE_RATE, type Fee, type PurchaseType } from './rules/price.ts';
import type { LineToPrice } from './rules/lines.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly kind: 'fee' | 'tax';
  readonly type: 'percent' | 'flat';
  readonly rate: number | null;
  readonly amount_minor: number | null;
  readonly min_amount_minor: number | null;
  readonly max_amount_minor: number | null;
  readonly is_taxable: boolean;
  readonly purchase_types: readonly PurchaseType[];
  /** null: everywhere */
  readonly venues: readonly number[] | null;
}

/** How a business prices, and by which version of its fees. */
interface Known {
  readonly includes_tax: boolean;
  /** null: it never had a fee */
  readonly version: string | null;
}

interface Charged extends Known {
  readonly fees: readonly Row[] | null;
}

const knownOf = (provider: number): Sql => sql`
      SELECT p.prices_include_tax AS includes_tax, v.version
      FROM provider p LEFT JOIN fee_version v USING (provider_id) WHERE p.provider_id = ${provider}`;

/** SELECT of all that a business charges today, and of the version that it is. */
const feesOf = (provider: number): Sql => sql`
      SELECT p.prices_include_tax AS includes_tax, v.version,
             (SELECT json_agg(f ORDER BY f.id) FROM
               (SELECT f.id, f.name, f.kind, f.type, (f.percentage * ${WHOLE_RATE / 100}::int)::int AS rate,
                       f.amount_minor, f.min_amount_minor, f.max_amount_minor, f.is_taxable, f.purchase_types,
                       (SELECT array_agg(v.venue_id) FROM purchase_fee_venue v
                        WHERE v.provider_id = f.provider_id AND v.purchase_fee_id = f.id) AS venues
                FROM purchase_fee f WHERE f.provider_id = p.provider_id AND f.archived_at IS NULL) f) AS fees
      FROM provider p LEFT JOIN fee_version v USING (provider_id) WHERE p.provider_id = ${provider}`;

/** What has just been deleted charges nothing. */
const NOTHING: Charged = { includes_tax: false, version: null, fees: null };

/**
 * Every price asks which fees are charged today, and most are answered with those of the last one. They are read again
 * where the version is another one: what is calculated with is always what the database has just said.
 */
const books = new Bounded<FeeBook>({ entries: 1000, bytes: 16_000_000, weigh: (_, book) => 500 * (book.size + 1) });

const keyOf = (providerId: number, { version, includes_tax }: Known): string =>
  `${providerId} ${version} ${includes_tax}`;

/** All that the business charges today: anyone who prices many purchases reads them once. */
export async function readFees(tx: Pick<Transaction, 'one'>, providerId: number): Promise<FeeBook> {
  const known = (await tx.one<Known>(knownOf(providerId))) ?? NOTHING;
  if (known.version === null) return new FeeBook(known.includes_tax, []);
  const kept = books.find(keyOf(providerId, known));
  if (kept) return kept;
  // Read together with its version: it may have changed since.
  const read = (await tx.one<Charged>(feesOf(providerId))) ?? NOTHING;
  return books.get(keyOf(providerId, read), () => new FeeBook(read.includes_tax, read.fees ?? []));
}

export class FeeBook {
  /** whether list prices contain the taxes on them */
  readonly includesTax: boolean;
  readonly #rows: readonly Row[];
  /** of what a fee says: other venues have what is charged everywhere */
  readonly #venues: ReadonlySet<number>;
  /** by what is bought, and where */
  readonly #found = new Map<string, readonly Fee[]>();

  constructor(includesTax: boolean, rows: readonly Row[]) {
    this.includesTax = includesTax;
    this.#rows = rows;
    this.#venues = new Set(this.#rows.flatMap(({ venues }) => venues ?? []));
  }

  /** how many fees and taxes there are */
  get size(): number {
    return this.#rows.length;
  }

  /**
   * How what is sold now is priced: what applies to it, and what its list price contains. A gift card is worth its whole
   * price, so taxes on it are always added.
   */
  on(purchaseType: PurchaseType, venue: number | null): Pick<LineToPrice, 'fees' | 'includesTax'> {
    return { fees: this.for(purchaseType, venue), includesTax: this.includesTax && purchaseType !== 'gift_card' };
  }

  /** In the order in which they were created. `venue`: id; null: the purchase is for no venue. */
  for(purchaseType: PurchaseType, venue: number | null): readonly Fee[] {
    const place = venue !== null && this.#venues.has(venue) ? venue : null;
    const key = `${purchaseType} ${place}`;
    const found = this.#found.get(key) ?? this.#find(purchaseType, place);
    this.#found.set(key, found);
    return found;
  }

  #find(purchaseType: PurchaseType, venue: number | null): Fee[] {
    return this.#rows
      .filter((row) => row.purchase_types.includes(purchaseType))
      .filter(({ venues }) => venues === null || (venue !== null && venues.includes(venue)))
      .map(feeOf);
  }
}

function feeOf(row: Row): Fee {
  const named = { id: row.id, name: row.name, kind: row.kind, isTaxable: row.is_taxable };
  return row.type === 'flat'
    ? { ...named, type: 'flat', amount: row.amount_minor! }
    : { ...named, type: 'percent', rate: row.rate!, minAmount: row.min_amount_minor, maxAmount: row.max_amount_minor };
}
