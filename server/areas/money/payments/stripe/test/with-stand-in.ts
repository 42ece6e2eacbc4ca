/** The processor with a stand-in, without the rest of the service. */
import { Outbound } from '../../../../../kernel/base/http-out/outbound.ts';
import { StripeStandIn } from './stand-in.ts';
import { stripe } from '../stripe.ts';
import type { Account } from './account.ts';
import type { Database } from '../../../../../kernel/base/db/database.ts';
import { type Messages, signature, type Event } from './messages.ts';
import type { PaymentRequest, ProcessorContext, RawMessage, RefundRequest } from '../../processor.ts';
import { START } from '../../../../../test/clock.ts';

export const KEY = 'sk_test_harbour0000000000';
export const SECRET = 'whsec_harbour0000000000';
export const HARBOUR = 7;

/** A replacement for the HTTP route: it keeps messages until a test reads them. */
export interface Desk {
  close(): Promise<void>;
  readonly standIn: StripeStandIn;
  readonly account: Account;
  readonly messages: Messages;
  readonly c: ProcessorContext;
  read(event: Event, over?: { secret?: string; at?: number; c?: ProcessorContext }): ReturnType<typeof stripe.verify>;
}

export async function startDesk(): Promise<Desk> {
  const standIn = await new StripeStandIn().listen();
  const outbound = new Outbound({ allow: ['127.0.0.1/32'] });
  const account = standIn.account(KEY);
  const messages = standIn.messages(KEY);
  messages.mode = 'hold';
  const c: ProcessorContext = {
    provider: HARBOUR,
    processor: 1,
    settings: { secret_key: KEY, webhook_secret: SECRET, api_url: standIn.url },
    now: START,
    baseUrl: 'https://book.example.com',
    outbound,
    db: null as unknown as Database,
  };
  return {
    async close() {
      outbound.close();
      await standIn.close();
    },
    standIn,
    account,
    messages,
    c,
    read: (event, { secret = SECRET, at = START, c: other = c } = {}) => stripe.verify(other, raw(event, secret, at)),
  };
}

function raw(event: Event, secret: string, at: number): RawMessage {
  const body = JSON.stringify(event);
  return { body: Buffer.from(body), headers: { 'stripe-signature': signature(body, secret, at) } };
}

let last = 0;
export function newPayment(over: Partial<PaymentRequest> = {}): PaymentRequest {
  const id = ++last;
  return {
    id,
    key: `payment-${id}`,
    provider: HARBOUR,
    amount: 2500,
    currency: 'CAD',
    description: 'Yoga on Monday',
    customer: { id: 31, email: 'anna@example.com', name: 'Anna Example' },
    external: null,
    methodToken: null,
    ownerToken: null,
    saveMethod: false,
    returnTo: 'https://book.example.com/account/harbour/checkout?ticket=1',
    cancelTo: 'https://book.example.com/account/harbour/checkout?ticket=1&gave_up=1',
    scenario: null,
    ...over,
  };
}

export function newRefund(payment: PaymentRequest, external: string, over: Partial<RefundRequest> = {}): RefundRequest {
  const id = ++last;
  const { key, amount, currency, provider } = payment;
  return {
    id,
    key: `refund-${id}`,
    provider,
    amount,
    currency,
    external: null,
    payment: { id: payment.id, key, external, amount },
    ...over,
  };
}
