import type { Setting } from '../processor.ts';

const STRIPE_API = 'https://api.stripe.com';
/** Hosted checkout and the confirmation by a bank are on different hosts of Stripe. */
const STRIPE_PAGES = 'https://*.stripe.com';

export const SETTINGS: readonly Setting[] = [
  {
    name: 'secret_key',
    description: 'The secret key of your Stripe account, or a restricted key.',
    secret: true,
    required: true,
    pattern: /^[rs]k_(test|live)_[A-Za-z0-9_]{10,240}$/,
    hint: 'Must start with sk_test_, sk_live_, rk_test_ or rk_live_. Publishable keys (pk_) don’t work.',
  },
  {
    name: 'webhook_secret',
    description:
      'The signing secret of the webhook endpoint in Stripe. Without it, messages of Stripe are not accepted.',
    secret: true,
    required: false,
    pattern: /^whsec_[A-Za-z0-9+/=_-]{10,240}$/,
    hint: 'Must start with whsec_.',
  },
  {
    name: 'page_url',
    description: 'If Stripe shows your checkout on a domain of your own: its address.',
    secret: false,
    required: false,
    pattern: /^https:\/\/[a-z0-9.-]{1,250}$/,
    hint: 'Must be an address without a path, for example https://pay.example.com.',
  },
  {
    name: 'api_url',
    description: 'Where Stripe’s interface is, if not at api.stripe.com. For tests.',
    secret: false,
    required: false,
    pattern: /^https?:\/\/[a-z0-9.:[\]-]{1,250}$/,
    hint: 'Must be an address without a path, for example https://stripe-test.example.com.',
  },
];

type Settings = Readonly<Record<string, string | undefined>>;

export const apiUrl = (settings: Settings): URL => new URL(settings.api_url ?? STRIPE_API);

export const pageHosts = (settings: Settings): string[] => [
  settings.api_url === undefined ? STRIPE_PAGES : apiUrl(settings).origin,
  ...(settings.page_url === undefined ? [] : [settings.page_url]),
];
