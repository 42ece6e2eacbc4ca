/**
 * The value of a membership that can partly be returned: the billed amount less later credits, never a list price.
 * docs/algorithms/proration.md.
 */
import { allocate, roundHalfUp } from '../../../kernel/base/values/money.ts';
import { billedAhead } from './renewals/rules/renewal.ts';
import {
  chargedNow,
  toCharged,
  partsOf,
  partsTotal,
  priceLines,
  shareOf,
  type Charged,
  type ChargedFee,
  type LineToPrice,
  type Price,
  type PriceParts,
} from '../../pricing/fees/index.ts';
import { expectBills, type Expected } from './billers.ts';
import { periodAt, periodOf, shareOfDays, type Dates } from '../../../kernel/base/values/cycle.ts';
import { renewing } from './renewals/renew.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { standingsOf, type Standing } from '../../money/invoices/index.ts';
import type { Owned } from './owned.ts';
import type { Returned } from '../../money/account-entries/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A value in minor units, including fees and taxes. */
export interface Worth {
  /** billed item; null if it is not billed yet, or if there was nothing to bill */
  readonly of: Returned | null;
  /** full value; for a period, from its first day or the membership's, whichever is later, to its last */
  readonly amount: number;
  /** part that can still be returned */
  readonly left: PriceParts;
  /** fees in the order of `left.lines` */
  readonly fees: readonly ChargedFee[];
}

const NOTHING: Worth = { of: null, amount: 0, left: { preTax: 0, lines: [], rounding: 0 }, fees: [] };

/** Returns a part of the amount that can be returned, with its fees and taxes. */
export const chargePart = ({ left, fees }: Pick<Worth, 'left' | 'fees'>, amount: number): Charged =>
  toCharged(shareOf(left, amount), fees);

export const leftIn = ({ left }: Worth): number => Math.max(0, partsTotal(left));

const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a);

/** Returns the days of a period that belong to the membership. */
const datesOf = ({ start_date: start }: Owned, period: Dates): Dates => ({
  ...period,
  start: later(period.start, start),
});

/** Computes values of a membership during one decision, and reads each fact only once. */
export class Worths {
  readonly #work: Work;
  readonly #owned: Owned;
  readonly #except: number | null;
  #expected: Promise<Expected> | undefined;
  #standings: Promise<Standing[]> | undefined;

  /**
   * `except`: the charge of the hold that is being decided. It bills the days after the hold, so the hold returns
   * nothing of it.
   */
  constructor(work: Work, owned: Owned, except: number | null = null) {
    this.#work = work;
    this.#owned = owned;
    this.#except = except;
  }

  get expected(): Promise<Expected> {
    this.#expected ??= expectBills(this.#work, this.#owned.id);
    return this.#expected;
  }

  /**
   * Returns the line that bills a period, or that would have billed it if the membership had not been on hold when it
   * began.
   */
  async line(period: Dates): Promise<LineToPrice> {
    const { billed_price_minor, renews_on, holds } = this.#owned;
    const { due, line } = await this.expected;
    const dates = datesOf(this.#owned, period);
    const price = due.get(dates.start) ?? shareOfDays(billed_price_minor, period, dates.start, period.end);
    const ahead =
      renews_on === null || renews_on >= dates.start
        ? 0
        : [...billedAhead(renewing({ ...this.#owned, holds }))].filter((one) => one.period.start < dates.start).length;
    return line(dates.start, price, ahead);
  }

  async price(period: Dates): Promise<Price> {
    return priceLines([await this.line(period)]).lines[0];
  }

  /** Returns true if the period itself was billed, or will be soon. */
  async isBilled(period: Dates): Promise<boolean> {
    const { start } = datesOf(this.#owned, period);
    return (await this.#standing(period)).some(({ of }) => 'line' in of) || (await this.expected).due.has(start);
  }

  /** Returns true if the period was billed, or a part of it charged, or either will happen soon. */
  async isCharged(period: Dates): Promise<boolean> {
    return (await this.#standing(period)).length > 0 || (await this.isBilled(period));
  }

  /**
   * Returns the value of a period. `rested`: the membership was on hold when it began, so only later charges are
   * billed, unless it was billed before.
   */
  async ofPeriod(period: Dates, rested: boolean): Promise<Worth> {
    const dates = datesOf(this.#owned, period);
    const found = await this.#standing(period);
    const plan = mostLeft(found.filter(({ of }) => 'line' in of));
    if (plan) return { of: plan.of, amount: plan.stands, left: plan.left, fees: plan.fees };
    const charge = mostLeft(found.filter(({ of }) => 'entry' in of));
    if (charge) {
      const whole = (await this.price(period)).total;
      const amount = charge.total === 0 ? 0 : roundHalfUp(BigInt(whole) * BigInt(charge.stands), charge.total);
      return { of: charge.of, amount, left: charge.left, fees: charge.fees };
    }
    return (await this.#willBeBilled(dates, rested)) ? this.#expectedOf(period) : NOTHING;
  }

  /** Returns the value of the whole sale: a pack or a prepaid plan, or a recurring plan before its first day. */
  async ofSale(): Promise<Worth> {
    const first = this.#owned.sold_with_id ?? this.#owned.id;
    const sold = mostLeft(
      (await standingsOf(this.#work, [first])).filter(
        ({ of, membership, periodStart }) => 'line' in of && membership === first && periodStart === null,
      ),
    );
    if (!sold) return NOTHING;
    const { of, fees } = sold;
    if (sold.quantity === 1) return { of, amount: sold.stands, left: sold.left, fees };
    const amount = await this.#piece(first, sold);
    return { of, amount, left: shareOf(sold.left, Math.min(amount, partsTotal(sold.left))), fees };
  }

  /** Returns the value of one of several memberships that a line bills. */
  async #piece(first: number, { stands, quantity }: Standing): Promise<number> {
    const { tx, providerId } = this.#work;
    const rows = await tx.rows<{ id: number }>(sql`
      SELECT id FROM customer_membership WHERE provider_id = ${providerId}
        AND (id = ${first} OR sold_with_id = ${first}) ORDER BY id`);
    const parts = allocate(
      stands,
      Array.from({ length: quantity }, () => 1),
    );
    return parts[rows.findIndex(({ id }) => id === this.#owned.id)];
  }

  /** Returns true if a billed line is for this period. The line of a sale has no period: it bills the first one. */
  #isOf({ periodStart, membership }: Standing, dates: Dates, period: Dates): boolean {
    if (membership !== this.#owned.id) return false;
    return periodStart === null
      ? this.#owned.start_date === null || dates.start === this.#owned.start_date
      : periodStart >= period.start && periodStart < period.end;
  }

  async #standing(period: Dates): Promise<Standing[]> {
    this.#standings ??= standingsOf(this.#work, [this.#owned.id]);
    const dates = datesOf(this.#owned, period);
    return (await this.#standings).filter(
      (one) => this.#isOf(one, dates, period) && !('entry' in one.of && one.of.entry === this.#except),
    );
  }

  async #willBeBilled({ start }: Dates, rested: boolean): Promise<boolean> {
    const { renews_on } = this.#owned;
    return (!rested && renews_on !== null && start >= renews_on) || (await this.expected).due.has(start);
  }

  async #expectedOf(period: Dates): Promise<Worth> {
    const charged = chargedNow(await this.price(period), this.#work.tenant.currency);
    return { of: null, amount: charged.amount, left: partsOf(charged), fees: charged.fees };
  }
}

const mostLeft = (found: readonly Standing[]): Standing | undefined =>
  found.toSorted((a, b) => partsTotal(b.left) - partsTotal(a.left))[0];

/** Returns the price of a part of a period, with the same part of its discount, and with fees and taxes. */
export const partOfLine = (line: LineToPrice, part: (amount: number) => number): Price =>
  priceLines([{ ...line, listPrice: part(line.listPrice), discount: part(line.discount ?? 0) }]).lines[0];

export const currentPeriod = ({ cycle }: Owned, day: string): Dates => periodOf(cycle!, periodAt(cycle!, day));
