/** The fees and taxes of the business that apply to a purchase, in the form that the rule takes. */
import { Bounded } from '../../../kernel/base/bounded.ts';
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
  /** null means everywhere */
  readonly venues: readonly number[] | null;
}

/** The pricing settings of a business, and the version of its fees. */
interface Known {
  readonly includes_tax: boolean;
  /** null if it never had a fee */
  readonly version: string | null;
}

interface Charged extends Known {
  readonly fees: readonly Row[] | null;
}

const knownOf = (provider: number): Sql => sql`
      SELECT p.prices_include_tax AS includes_tax, v.version
      FROM provider p LEFT JOIN fee_version v USING (provider_id) WHERE p.provider_id = ${provider}`;

/** Selects all active fees of a business, and their version. */
const feesOf = (provider: number): Sql => sql`
      SELECT p.prices_include_tax AS includes_tax, v.version,
             (SELECT json_agg(f ORDER BY f.id) FROM
               (SELECT f.id, f.name, f.kind, f.type, (f.percentage * ${WHOLE_RATE / 100}::int)::int AS rate,
                       f.amount_minor, f.min_amount_minor, f.max_amount_minor, f.is_taxable, f.purchase_types,
                       (SELECT array_agg(v.venue_id) FROM purchase_fee_venue v
                        WHERE v.provider_id = f.provider_id AND v.purchase_fee_id = f.id) AS venues
                FROM purchase_fee f WHERE f.provider_id = p.provider_id AND f.archived_at IS NULL) f) AS fees
      FROM provider p LEFT JOIN fee_version v USING (provider_id) WHERE p.provider_id = ${provider}`;

/** A business that was just deleted charges nothing. */
const NOTHING: Charged = { includes_tax: false, version: null, fees: null };

/**
 * Cached fees of businesses. Every price checks the current version, and usually reuses the last fees. They are read
 * again if the version differs: prices always use the database's current fees.
 */
const books = new Bounded<FeeBook>({ entries: 1000, bytes: 16_000_000, weigh: (_, book) => 500 * (book.size + 1) });

const keyOf = (providerId: number, { version, includes_tax }: Known): string =>
  `${providerId} ${version} ${includes_tax}`;

/** Reads all active fees of the business: callers that price many purchases read them once. */
export async function readFees(tx: Pick<Transaction, 'one'>, providerId: number): Promise<FeeBook> {
  const known = (await tx.one<Known>(knownOf(providerId))) ?? NOTHING;
  if (known.version === null) return new FeeBook(known.includes_tax, []);
  const kept = books.find(keyOf(providerId, known));
  if (kept) return kept;
  // Read together with its version, which may have changed since.
  const read = (await tx.one<Charged>(feesOf(providerId))) ?? NOTHING;
  return books.get(keyOf(providerId, read), () => new FeeBook(read.includes_tax, read.fees ?? []));
}

export class FeeBook {
  /** true if list prices include their taxes */
  readonly includesTax: boolean;
  readonly #rows: readonly Row[];
  /** venues that fees name; all other venues have only the fees charged everywhere */
  readonly #venues: ReadonlySet<number>;
  /** by purchase type and venue */
  readonly #found = new Map<string, readonly Fee[]>();

  constructor(includesTax: boolean, rows: readonly Row[]) {
    this.includesTax = includesTax;
    this.#rows = rows;
    this.#venues = new Set(this.#rows.flatMap(({ venues }) => venues ?? []));
  }

  /** number of fees and taxes */
  get size(): number {
    return this.#rows.length;
  }

  /**
   * Returns how a sale is priced now: the fees that apply, and whether the list price includes taxes. A gift card is
   * worth its whole price, so taxes on it are always added.
   */
  on(purchaseType: PurchaseType, venue: number | null): Pick<LineToPrice, 'fees' | 'includesTax'> {
    return { fees: this.for(purchaseType, venue), includesTax: this.includesTax && purchaseType !== 'gift_card' };
  }

  /** Returns true if purchases of this type cost more than their list price, at one venue at least. */
  addsTo(purchaseType: PurchaseType): boolean {
    return this.#rows.some(
      ({ kind, purchase_types }) =>
        purchase_types.includes(purchaseType) && (kind === 'fee' || !this.on(purchaseType, null).includesTax),
    );
  }

  /** Returns the fees in the order in which they were created. `venue`: id; null if the purchase has no venue. */
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
