/** The fees and taxes of the business that apply to a purchase, as the rule takes them. */
import { sql, type Sql } from '../../../kernel/db/sql.ts';
import { WHOLE_RATE, type Fee, type PurchaseType } from './rules/price.ts';
import type { LineToPrice } from './rules/lines.ts';
import type { Transaction } from '../../../kernel/db/database.ts';

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

/** One row for the business, and one more for each further fee. */
type FeeRow = { readonly prices_include_tax: boolean } & (Row | { readonly id: null });

/** SELECT of all that a business charges today, for `FeeBook`. */
const feesOf = (provider: unknown): Sql => sql`
      SELECT p.prices_include_tax, f.id, f.name, f.kind, f.type, (f.percentage * ${WHOLE_RATE / 100}::int)::int AS rate,
             f.amount_minor, f.min_amount_minor, f.max_amount_minor, f.is_taxable, f.purchase_types,
             (SELECT array_agg(v.venue_id) FROM purchase_fee_venue v WHERE v.provider_id = f.provider_id AND v.purchase_fee_id = f.id) AS venues
      FROM provider p LEFT JOIN purchase_fee f ON f.provider_id = p.provider_id AND f.archived_at IS NULL
      WHERE p.provider_id = ${provider} ORDER BY f.id`;

/** All that the business charges today: who prices many purchases reads them once. */
export const readFees = async (tx: Pick<Transaction, 'rows'>, providerId: number): Promise<FeeBook> =>
  new FeeBook(await tx.rows<FeeRow>(feesOf(providerId)));

export class FeeBook {
  /** whether list prices contain the taxes on them */
  readonly includesTax: boolean;
  readonly #rows: readonly Row[];

  constructor(rows: readonly FeeRow[]) {
    this.includesTax = rows.some(({ prices_include_tax }) => prices_include_tax);
    this.#rows = rows.filter((row): row is FeeRow & Row => row.id !== null);
  }

  /**
   * How what is sold now is priced: what applies to it, and what its list price contains. A gift card is worth its whole
   * price, so taxes on it are always added.
   */
  on(purchaseType: PurchaseType, venue: number | null): Pick<LineToPrice, 'fees' | 'includesTax'> {
    return { fees: this.for(purchaseType, venue), includesTax: this.includesTax && purchaseType !== 'gift_card' };
  }

  /** In the order in which they were created. `venue`: id; null: the purchase is for no venue. */
  for(purchaseType: PurchaseType, venue: number | null): Fee[] {
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
