/** Reasons of charges and credits. Areas that write entries declare their reasons in the `fills` of their index.ts. */
import { oneOfLater, Port } from '../../../kernel/base/fields/port.ts';
import type { Account, LineType } from '../ledger/index.ts';

export interface AccountReason {
  readonly name: string;
  /** full sentence, for the description in the reference */
  readonly description: string;
  /** resource that entries with this reason are for; null if they are for none */
  readonly subject: string | null;
  /** type of revenue that a charge adds to and a credit takes from, unless the entry names it; null if none */
  readonly revenue: LineType | null;
  /**
   * ledger account that credit with this reason comes from, if it was never revenue; absent if the business gives it
   */
  readonly against?: Extract<Account, 'credit_given' | 'gift_card' | 'opening_balance'>;
  /** a subject has at most one entry with this reason that is not voided: the database refuses a second */
  readonly once?: boolean;
  /**
   * a credit returns a part of what is billed for its period: until that is billed, no invoice takes it off, and it
   * does not become account credit
   */
  readonly waits?: boolean;
  /** a charge is never billed by itself: it stays open until somebody pays it in a checkout, or staff void it */
  readonly byHand?: boolean;
}

export const accountReasons = new Port<AccountReason>('account reason', ({ subject }) => subject ?? 'account_entry');

/** Reason of charges and credits that staff add without any other cause. */
export const FLAT_FEE: AccountReason = {
  name: 'flat_fee',
  description: 'A charge that staff added.',
  subject: null,
  revenue: 'flat_fee',
};
export const GOODWILL: AccountReason = {
  name: 'goodwill',
  description: 'Credit that staff gave.',
  subject: null,
  revenue: null,
};

export const CREDIT_EXPIRED: AccountReason = {
  name: 'credit_expired',
  description: 'Account credit that could be spent no longer.',
  subject: null,
  revenue: null,
};
export const CREDIT_MOVED: AccountReason = {
  name: 'credit_moved',
  description: 'Account credit that was moved from one member of a family to another.',
  subject: null,
  revenue: null,
};
export const OPENING_BALANCE: AccountReason = {
  name: 'opening_balance',
  description: 'A balance that the customer had at the former product of the business. Nothing bills it by itself.',
  subject: null,
  revenue: null,
  against: 'opening_balance',
  byHand: true,
};

/** The names of those whose charges are never billed by themselves. */
export const reasonsByHand = (): string[] => accountReasons.items.flatMap(({ name, byHand }) => (byHand ? [name] : []));

/** The names of those whose credits wait until their period is billed. */
export const waitingReasons = (): string[] => accountReasons.items.flatMap(({ name, waits }) => (waits ? [name] : []));

/** Returns the reason with this name. @throws Error if no area declares it */
export function reasonOf(name: string): AccountReason {
  const reason = accountReasons.items.find((one) => one.name === name);
  if (!reason) throw new Error(`no area declares the account reason "${name}"`);
  return reason;
}

const inOrder = (words: readonly string[]): string[] => [...new Set(words)].toSorted();
const reasons = (): string[] => inOrder(accountReasons.items.map(({ name }) => name));
const subjects = (): string[] => inOrder(accountReasons.items.flatMap(({ subject }) => subject ?? []));

export const reasonName = () => oneOfLater(reasons);
export const subjectName = () => oneOfLater(subjects);

/** Returns the field for a reason, with the meaning of each reason in its description. */
export const explainedReason = () =>
  oneOfLater(reasons, () => accountReasons.items.map((is) => `\`${is.name}\`: ${is.description}`).join(' '));
