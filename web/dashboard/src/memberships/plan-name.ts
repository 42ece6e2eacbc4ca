/** The display name of a payment plan, which has no name of its own, only a price and a period. */
import type { Money } from 'rollcall-sdk';
import { amountOf } from '../words/times.ts';
import { words } from './words.ts';

export interface NamedPlan {
  readonly price: Money;
  readonly billing_period_length: number;
  readonly billing_period_unit: 'months' | 'weeks';
}

/** Returns for example `$40.00 every month`. */
export const planName = ({ price, billing_period_length: n, billing_period_unit: unit }: NamedPlan): string =>
  words.say(`every.${unit}`, { n, amount: amountOf(price) });
