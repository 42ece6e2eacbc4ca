/** The connection test of an account at Stripe: whether its key works, and what customers can pay with. */
import { isSaved } from './methods.ts';
import { stripeOf } from './client.ts';
import { trouble } from './trouble.ts';
import type { Connection, ProcessorContext } from '../processor.ts';

/** Somebody waits in front of a screen. */
const WHOLE_MS = 15_000;

/** Proper names, which are the same in every language. Methods that are missing here are named after their key. */
const NAMES: Readonly<Record<string, string>> = {
  acss_debit: 'Pre-authorized debit (Canada)',
  au_becs_debit: 'BECS Direct Debit',
  bacs_debit: 'Bacs Direct Debit',
  eps: 'EPS',
  ideal: 'iDEAL',
  nz_bank_account: 'BECS Direct Debit (New Zealand)',
  p24: 'Przelewy24',
  paypal: 'PayPal',
  sepa_debit: 'SEPA Direct Debit',
  twint: 'TWINT',
  us_bank_account: 'ACH Direct Debit',
  wechat_pay: 'WeChat Pay',
};

const nameOf = (key: string): string =>
  NAMES[key] ??
  key
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

interface Offered {
  readonly available?: boolean;
  readonly display_preference?: { readonly value?: string };
}

export async function checkConnection(c: ProcessorContext): Promise<Connection> {
  const isTest = /^[rs]k_test_/.test(c.settings.secret_key);
  try {
    const stripe = await stripeOf(c, WHOLE_MS);
    const account = await stripe.accounts.retrieveCurrent();
    const configurations = await stripe.paymentMethodConfigurations.list({ limit: 10 });
    const used = configurations.data.find((one) => one.is_default) ?? configurations.data[0];
    const methods = Object.entries((used ?? {}) as unknown as Readonly<Record<string, Offered | null>>)
      .filter(([, one]) => one?.available === true && one.display_preference?.value === 'on')
      .map(([key]) => ({ key, name: nameOf(key), isSaved: isSaved(key) }));
    return {
      works: true,
      why: null,
      account: account.business_profile?.name ?? account.settings?.dashboard?.display_name ?? null,
      isTest,
      takesPayments: account.charges_enabled,
      methods,
    };
  } catch (error) {
    return {
      works: false,
      why: (await trouble(error)).message,
      account: null,
      isTest,
      takesPayments: false,
      methods: [],
    };
  }
}
