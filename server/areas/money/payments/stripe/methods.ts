/** Saved payment methods. For a card, we never store more than what is printed on receipts. */
import type Stripe from 'stripe';
import type { MethodType, SavedMethod } from '../processor.ts';

const TYPES: Readonly<Record<string, MethodType>> = {
  card: 'credit_card',
  link: 'credit_card',
  paypal: 'paypal',
  acss_debit: 'bank_account',
  au_becs_debit: 'bank_account',
  bacs_debit: 'bank_account',
  nz_bank_account: 'bank_account',
  sepa_debit: 'bank_account',
  us_bank_account: 'bank_account',
};

/** Returns whether a method of this kind can be saved. */
export const isSaved = (kind: string): boolean => kind in TYPES;

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'Eftpos Australia',
  jcb: 'JCB',
  link: 'Link',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const brandOf = (name: string): string => BRANDS[name] ?? capitalized(name.replaceAll('_', ' '));

/**
 * Returns a token with both ids: a method works only together with its customer, and a person may be several customers
 * at Stripe.
 */
export const tokenOf = (customer: string, method: string): string => `${customer}/${method}`;

export function readToken(token: string): { customer: string; method: string } {
  const [customer, method] = token.split('/');
  return { customer, method };
}

/** Returns the method to save; null if its kind can't be saved. */
export function savedMethod(method: Stripe.PaymentMethod, customer: string): SavedMethod | null {
  const type = TYPES[method.type];
  if (!type) return null;
  const { card } = method;
  const bank =
    method.us_bank_account ?? method.sepa_debit ?? method.bacs_debit ?? method.au_becs_debit ?? method.acss_debit;
  return {
    type,
    token: tokenOf(customer, method.id),
    ownerToken: customer,
    brand: card ? brandOf(card.display_brand ?? card.brand) : type === 'credit_card' ? brandOf(method.type) : null,
    holder: method.billing_details.name?.slice(0, 200) || null,
    lastFour: card?.last4 ?? bank?.last4 ?? null,
    expirationMonth: card?.exp_month ?? null,
    expirationYear: card?.exp_year ?? null,
    bankName: method.us_bank_account?.bank_name ?? method.acss_debit?.bank_name ?? null,
    email: method.link?.email ?? method.paypal?.payer_email ?? null,
  };
}
