/** The status of an invoice or a payment, as a word. Failures are highlighted and explained. */
import type { ItemOf } from 'rollcall-sdk';
import { words } from './words.ts';

export type InvoiceStatusName = ItemOf<'GET /invoices', 'status'>['status'];
export type PaymentStatusName = ItemOf<'GET /payments', 'status'>['status'];

const FAILED: readonly string[] = ['failed', 'retry_failed'] satisfies (InvoiceStatusName | PaymentStatusName)[];

const look = (status: string): string => (FAILED.includes(status) ? 'tag wrong' : 'tag');

export const invoiceStatus = (status: InvoiceStatusName): string => words.say(`invoice.${status}`);
export const paymentStatus = (status: PaymentStatusName): string => words.say(`payment.${status}`);

export function InvoiceStatus({ status }: { readonly status: InvoiceStatusName }) {
  return <span className={look(status)}>{invoiceStatus(status)}</span>;
}

export function PaymentStatus({ status }: { readonly status: PaymentStatusName }) {
  return <span className={look(status)}>{paymentStatus(status)}</span>;
}
