/** Metadata on objects at Stripe, by which any message about them is recognized as ours. */
import { createHash } from 'node:crypto';
import type { PaymentRequest, ProcessorContext, RefundRequest, SetupRequest } from '../processor.ts';

interface Marks {
  readonly [name: string]: string;
}

/**
 * Returns the metadata of a payment, without anything that may change later, because Stripe compares it. `page`: the
 * object belongs to a Stripe page on which the customer pays, and that page decides its outcome.
 */
export const paymentMarks = (p: PaymentRequest, page: boolean): Marks => ({
  rollcall_business: String(p.provider),
  rollcall_payment: p.key,
  rollcall_amount: `${p.amount} ${p.currency}`,
  ...(page && { rollcall_page: 'yes' }),
});

export const refundMarks = (r: RefundRequest): Marks => ({
  rollcall_business: String(r.provider),
  rollcall_payment: r.payment.key,
  rollcall_refund: r.key,
});

export const setupMarks = (s: SetupRequest): Marks => ({
  rollcall_business: String(s.provider),
  rollcall_setup: s.key,
});

type Marked = { readonly metadata: { readonly [name: string]: string } | null };

/**
 * Returns true if the object belongs to this business: several businesses may share a Stripe account, and each receives
 * the messages of all.
 */
export const isOurs = ({ metadata }: Marked, provider: number): boolean =>
  metadata?.rollcall_payment !== undefined && metadata.rollcall_business === String(provider);

/** Returns the key of the setup that the object belongs to; null: it is no setup of this business. */
export const setupOf = ({ metadata }: Marked, provider: number): string | null =>
  metadata?.rollcall_business === String(provider) ? (metadata.rollcall_setup ?? null) : null;

export const isMarkedFor = (
  marked: Marked,
  p: Pick<PaymentRequest, 'provider' | 'key' | 'amount' | 'currency'>,
): boolean =>
  isOurs(marked, p.provider) &&
  marked.metadata!.rollcall_payment === p.key &&
  marked.metadata!.rollcall_amount === `${p.amount} ${p.currency}`;

/**
 * Returns an idempotency key that is unique within a Stripe account, which two installations may share. `more`
 * distinguishes repeated and subsequent requests about the same payment.
 */
export function idempotencyKey(c: Pick<ProcessorContext, 'baseUrl' | 'provider'>, key: string, more = ''): string {
  const installation = createHash('sha256').update(c.baseUrl).digest('hex').slice(0, 12);
  return `rollcall-${installation}-${c.provider}-${key}${more}`;
}
