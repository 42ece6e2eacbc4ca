import { amountText, formatDecimal } from '../../../kernel/base/values/money.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { money } from '../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type InCurrency = Pick<Work, 'tenant'>;

/** Returns a property that shows a column of minor units. */
export const amount = (column: string) => money().from((t) => raw(`${t}.${column}`));

/** Formats an amount for people, with the currency symbol. */
export const said = ({ tenant: { currency } }: InCurrency, minor: number): string => amountText({ minor, currency });

/** Formats an amount for programs, without the currency symbol. */
export const decimal = ({ tenant: { currency } }: InCurrency, minor: number): string =>
  formatDecimal({ minor, currency });

/** Parses a sent amount into minor units; it must be more than 0. */
export function moreThanZero({ tenant: { currency } }: InCurrency, name: string, sent: string): number {
  const minor = minorOf(name, sent, currency);
  if (minor === 0) throw invalid(name, 'Must be more than 0.');
  return minor;
}
