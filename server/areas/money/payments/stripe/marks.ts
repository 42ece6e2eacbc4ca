/** What is written on the objects at Stripe, by which they are known again as ours, whatever message comes about them. */
import { createHash } from 'node:crypto';
import type { PaymentRequest, ProcessorContext, RefundRequest } from '../processor.ts';

interface Marks {
  readonly [name: string]: string;
}

/**
 * Nothing that may change meanwhile, for Stripe compares. `page`: the object belongs to a page of Stripe on which the customer pays, and is decided there. */
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

type Marked = { readonly metadata: { readonly [name: string]: string } | null };

/** Several businesses may use one account of Stripe, and each gets messages about all of it. */
export const isOurs = ({ metadata }: Marked, provider: number): boolean =>
  metadata?.rollcall_payment !== undefined && metadata.rollcall_business === String(provider);

export const isOf = (marked: Marked, p: Pick<PaymentRequest, 'provider' | 'key' | 'amount' | 'currency'>): boolean =>
  isOurs(marked, p.provider) &&
  marked.metadata!.rollcall_payment === p.key &&
  marked.metadata!.rollcall_amount === `${p.amount} ${p.currency}`;

/**
 * Keys hold for an account of Stripe, which two installations may share. `more` makes another of the same, for what is
 * asked once more or next.
 */
export function idempotencyKey(c: Pick<ProcessorContext, 'baseUrl' | 'provider'>, key: string, more = ''): string {
  const installation = createHash('sha256').update(c.baseUrl).digest('hex').slice(0, 12);
  return `rollcall-${installation}-${c.provider}-${key}${more}`;
}
