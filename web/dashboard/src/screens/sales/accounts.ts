/** Accounts of the ledger, and their display names. */
import type { AnswerOf } from 'rollcall-sdk';
import { words } from './words.ts';

export type AccountName = AnswerOf<'GET /ledger/account_codes', never, never>['codes'][number]['account'];

const NAMES = {
  receivable: true,
  unbilled: true,
  credit: true,
  credit_held: true,
  unapplied: true,
  clearing: true,
  revenue: true,
  tax: true,
  fee: true,
  cash: true,
  rounding: true,
  credit_given: true,
  write_off: true,
  dispute: true,
  gift_card: true,
  cash_transfer: true,
  cash_difference: true,
  opening_balance: true,
} as const satisfies Readonly<Record<AccountName, true>>;

/** All accounts, in ledger order. */
export const ACCOUNTS = Object.keys(NAMES) as AccountName[];

/**
 * Returns the subdivision of an account: classes for `revenue`, a processor for `clearing`. `name`: the name of the
 * object whose id the detail is
 */
export function detailOf(account: AccountName, detail: string | null, name: string | null = null): string {
  if (name !== null) return name;
  if (detail === null) return '';
  return account === 'revenue' && words.has(`type.${detail}`) ? words.say(`type.${detail}` as 'type.course') : detail;
}
