/** Amounts with their fees and taxes, stored as they were charged: the terms of a fee may change later. Pure. */
import { lineText, rateText } from './explain.ts';
import { partsTotal, type PriceParts } from './share.ts';
import type { Fee, FeeLine, Price } from './price.ts';

export interface ChargedFee {
  /** id of the fee or tax */
  readonly fee: number;
  readonly kind: 'fee' | 'tax';
  readonly name: string;
  readonly explanation: string;
  /** percentage, for example `8.875`; null for a flat amount */
  readonly rate: string | null;
  /** for a fee: true if taxes were charged on it */
  readonly taxable: boolean;
}

/** A fee or tax with its amount. */
export type ChargedPart = ChargedFee & { readonly amount: number };

/** Minor units. The fees and the rounding are parts of the amount; the rest is the price before them. */
export interface Charged {
  readonly amount: number;
  readonly fees: readonly ChargedPart[];
  readonly rounding: number;
}

/** Returns an amount without fees and taxes. */
export const plain = (amount: number): Charged => ({ amount, fees: [], rounding: 0 });

/** Returns a part of a price; `fees` are those of its lines, in order. */
export const toCharged = (parts: PriceParts, fees: readonly ChargedFee[]): Charged => ({
  amount: partsTotal(parts),
  fees: fees
    .map(({ fee, kind, name, explanation, rate, taxable }, n): ChargedPart => {
      return { fee, kind, name, explanation, rate, taxable, amount: parts.lines[n] };
    })
    .filter(({ amount }) => amount !== 0),
  rounding: parts.rounding,
});

/** Returns a price as it is charged now. */
export const chargedNow = ({ lines, rounding, total }: Price, currency: string): Charged => ({
  amount: total,
  fees: lines.map((line) => ({
    fee: line.fee.id,
    kind: line.fee.kind,
    name: line.fee.name,
    explanation: lineText(line, currency),
    rate: line.fee.type === 'percent' ? rateText(line.fee.rate) : null,
    taxable: line.fee.isTaxable,
    amount: line.amount,
  })),
  rounding,
});

export const partsOf = ({ amount, fees, rounding }: Charged): PriceParts => ({
  preTax: fees.reduce((left, fee) => left - fee.amount, amount - rounding),
  lines: fees.map((fee) => fee.amount),
  rounding,
});

/** Returns the price of a line that bills the amount, or deducts it if `sign` is -1. */
export function priceOfCharged(charged: Charged, sign: 1 | -1 = 1): Price {
  const { preTax, rounding } = partsOf(charged);
  const signed = (amount: number): number => (amount === 0 ? 0 : sign * amount);
  return {
    listPrice: signed(preTax),
    discount: 0,
    includedTaxes: 0,
    preTax: signed(preTax),
    lines: charged.fees.map((part) => lineOf(part, signed(part.amount))),
    rounding: signed(rounding),
    total: signed(charged.amount),
  };
}

const lineOf = ({ fee: id, kind, name, explanation, rate, taxable }: ChargedPart, amount: number): FeeLine => {
  const named = { id, name, kind, isTaxable: taxable };
  const fee: Fee =
    rate === null
      ? { ...named, type: 'flat', amount }
      : { ...named, type: 'percent', rate: Math.round(Number(rate) * 10_000), minAmount: null, maxAmount: null };
  return { fee, base: 0, amount, included: 0, explanation };
};
