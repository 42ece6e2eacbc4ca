/** The fees and taxes of the business that apply to a purchase, as the rule takes them. */
import { Bounded } from '../../../kernel/api/bounded.ts';
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

/** The fees and taxes of a business as its database prints them. */
interface Printed {
  readonly prices_include_tax: boolean;
  readonly fees: readonly Row[] | null;
}

/**
 * SELECT of all that a business charges today, for `FeeBook`: as one text, by which it is known again (`books`).
 */
const feesOf = (provider: unknown): Sql => sql`
      SELECT json_build_object('prices_include_tax', p.prices_include_tax, 'fees',
               (SELECT json_agg(f ORDER BY f.id) FROM
                 (SELECT f.id, f.name, f.kind, f.type, (f.percentage * ${WHOLE_RATE / 100}::int)::int AS rate,
                         f.amount_minor, f.min_amount_minor, f.max_amount_minor, f.is_taxable, f.purchase_types,
                         (SELECT array_agg(v.venue_id) FROM purchase_fee_venue v
                          WHERE v.provider_id = f.provider_id AND v.purchase_fee_id = f.id) AS venues
                  FROM purchase_fee f WHERE f.provider_id = p.provider_id AND f.archived_at IS NULL) f))::text AS book
      FROM provider p WHERE p.provider_id = ${provider}`;

/** Of a business that has just been deleted. */
const NOTHING = '{"prices_include_tax":false,"fees":null}';

/**
 * Every price reads what is charged today, and most find what the last one found. It is read from its text only where
 * that is another one, so what is calculated with is always what the database has just said.
 */
const books = new Bounded<FeeBook>({ entries: 1000, bytes: 16_000_000, weigh: (text) => 5 * text.length });

/** All that the business charges today: anyone who prices many purchases reads them once. */
export async function readFees(tx: Pick<Transaction, 'one'>, providerId: number): Promise<FeeBook> {
  const printed = (await tx.one<{ book: string }>(feesOf(providerId)))?.book ?? NOTHING;
  return books.get(printed, () => new FeeBook(JSON.parse(printed) as Printed));
}

export class FeeBook {
  /** whether list prices contain the taxes on them */
  readonly includesTax: boolean;
  readonly #rows: readonly Row[];
  /** of what a fee says: other venues have what is charged everywhere */
  readonly #venues: ReadonlySet<number>;
  /** by what is bought, and where */
  readonly #found = new Map<string, readonly Fee[]>();

  constructor({ prices_include_tax, fees }: Printed) {
    this.includesTax = prices_include_tax;
    this.#rows = fees ?? [];
    this.#venues = new Set(this.#rows.flatMap(({ venues }) => venues ?? []));
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
