import type { Setting } from '../processor.ts';

const STRIPE_API = 'https://api.stripe.com';

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
    name: 'api_url',
    description: 'Address of Stripe’s interface, if not api.stripe.com. For tests.',
    secret: false,
    required: false,
    pattern: /^https?:\/\/(?:[a-z0-9][a-z0-9.-]{0,249}|\[[0-9a-f:]{2,45}\])(?::[1-9]\d{0,4})?$/,
    hint: 'Must be an address without a path, for example https://stripe-test.example.com.',
  },
];

type Settings = Readonly<Record<string, string | undefined>>;

export const apiUrl = (settings: Settings): URL => new URL(settings.api_url ?? STRIPE_API);
