/** The accounts of the ledger. A debit is more than zero, a credit less; README.md describes each account. */

/** Accounts of which every customer has one each. */
export const CUSTOMER_ACCOUNTS = ['receivable', 'unbilled', 'credit', 'credit_held', 'unapplied'] as const;
export type CustomerAccount = (typeof CUSTOMER_ACCOUNTS)[number];

/** Accounts of which the business has one for each `detail`: the processor, the type of invoice line, the fee. */
export const DETAILED_ACCOUNTS = ['clearing', 'revenue', 'tax', 'fee', 'cash'] as const;

export const ACCOUNTS = [
  ...CUSTOMER_ACCOUNTS,
  ...DETAILED_ACCOUNTS,
  'rounding',
  'credit_given',
  'write_off',
  'dispute',
  'gift_card',
  'cash_transfer',
  'cash_difference',
  'opening_balance',
] as const;
export type Account = (typeof ACCOUNTS)[number];

/** Types of invoice lines, by which the revenue of a business is divided. */
export const LINE_TYPES = [
  'flat_fee',
  'course_session',
  'store_order',
  'course',
  'event_registration',
  'recurring_plan_membership',
  'prepaid_plan_membership',
  'pack_membership',
  'membership_penalty_fee',
  'joining_fee',
  'gift_card',
] as const;
export type LineType = (typeof LINE_TYPES)[number];
