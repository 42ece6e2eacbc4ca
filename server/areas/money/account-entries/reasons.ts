/** Why accounts are charged and credited. Areas that write entries declare their reasons: `fills` of their index.ts. */
import { oneOfLater, Port } from '../../../kernel/base/fields/port.ts';
import type { Account, LineType } from '../ledger/index.ts';

export interface AccountReason {
  readonly name: string;
  /** a full sentence, for the interface's description */
  readonly description: string;
  /** the resource that entries with this reason are about; null: they are about nothing else */
  readonly subject: string | null;
  /** whose revenue a charge adds to and a credit takes from, unless the entry says it; null: none */
  readonly revenue: LineType | null;
  /** what account credit of this reason comes out of, where it was never revenue; absent: the business gives it */
  readonly against?: Extract<Account, 'credit_given' | 'gift_card'>;
  /** a subject has at most one entry with this reason that is not voided: the database refuses another one */
  readonly once?: boolean;
  /**
   * a credit returns a part of what is billed for its period: until that is billed, no invoice takes it off, and it does not
   * become account credit
   */
  readonly waits?: boolean;
}

export const accountReasons = new Port<AccountReason>('account reason', ({ subject }) => subject ?? 'account_entry');

/** What staff charge and give, without anything else that causes it. */
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

/** The names of those whose credits wait until their period is billed. */
export const waitingReasons = (): string[] => accountReasons.items.flatMap(({ name, waits }) => (waits ? [name] : []));

/** @throws Error if no area declares it */
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

/** The same, with what each reason means. */
export const explainedReason = () =>
  oneOfLater(reasons, () => accountReasons.items.map((is) => `\`${is.name}\`: ${is.description}`).join(' '));
