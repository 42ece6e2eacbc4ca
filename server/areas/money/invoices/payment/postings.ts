/** Ledger postings of invoices: see the table in README.md. */
import type { SayStored } from '../../../../kernel/work/unit/stored-texts.ts';
import type { Account, LedgerLine, Posting } from '../../ledger/index.ts';
import type { InvoiceRow } from '../row.ts';
import { partsTotal, type PriceParts } from '../../../pricing/fees/index.ts';
import type { LineType } from '../../ledger/index.ts';
import type { NewLine } from '../new-line.ts';
import type { Spread } from '../rules/credit.ts';

/** Returns the line for what the business has sold: revenue, or its debt to the holder of a gift card. */
const earned = (type: LineType, amount: number): LedgerLine =>
  type === 'gift_card' ? { account: 'gift_card', amount } : { account: 'revenue', detail: type, amount };

/**
 * Returns the posting for an issued invoice: the customer owes the total from now on. Revenue and taxes of an account
 * entry were posted when it was written.
 */
export const issued = (say: SayStored, invoice: InvoiceRow, lines: readonly NewLine[]): Posting => ({
  kind: 'invoice_issued',
  about: { object: 'invoice', id: invoice.id },
  explanation: say('invoice', { number: invoice.number! }),
  lines: [
    { account: 'receivable', customer: invoice.customer_id, amount: invoice.total_minor },
    ...lines.flatMap(({ type, customer, price, accountEntry }): LedgerLine[] =>
      accountEntry === undefined
        ? [
            earned(type, -price.preTax),
            ...price.lines.map(({ fee, amount }) => feeLine(fee.kind, fee.id, -amount)),
            { account: 'rounding', amount: -price.rounding },
          ]
        : [{ account: 'unbilled', customer, amount: -price.total }],
    ),
  ],
});

const feeLine = (kind: 'fee' | 'tax', fee: number, amount: number): LedgerLine => ({
  account: kind,
  detail: String(fee),
  amount,
});

/** Returns the lines for a partial or full payment: `from` is debited. */
const pays = (invoice: InvoiceRow, from: LedgerLine): LedgerLine[] => [
  from,
  { account: 'receivable', customer: invoice.customer_id, amount: -from.amount },
];

export const creditUsed = (
  say: SayStored,
  invoice: InvoiceRow,
  id: number,
  { amount, from }: { amount: number; from: Account & ('credit' | 'credit_held') },
): Posting => ({
  kind: 'invoice_credit_applied',
  about: { object: 'invoice_credit', id },
  explanation: say('invoice.credit', { number: invoice.number! }),
  lines: pays(invoice, { account: from, customer: invoice.customer_id, amount }),
});

export const paymentUsed = (
  say: SayStored,
  invoice: InvoiceRow,
  id: number,
  { amount, from, processor }: { amount: number; from: 'clearing' | 'unapplied'; processor: number },
): Posting => ({
  kind: 'invoice_payment_applied',
  about: { object: 'invoice_charge', id },
  explanation: say('invoice.payment', { number: invoice.number! }),
  lines: pays(
    invoice,
    from === 'clearing'
      ? { account: 'clearing', detail: String(processor), amount }
      : { account: 'unapplied', customer: invoice.customer_id, amount },
  ),
});

/** A credited part of a line. */
interface TakenBack {
  readonly type: LineType;
  readonly part: PriceParts;
  /** fees of the line, in the order of `part.lines` */
  readonly fees: readonly { readonly kind: 'fee' | 'tax'; readonly fee: number }[];
}

/**
 * Returns the posting for a credit note: revenue is reversed, the amount due is reduced, and the customer gets the rest
 * back.
 */
export const credited = (
  say: SayStored,
  note: InvoiceRow,
  invoice: InvoiceRow,
  parts: readonly TakenBack[],
  { reduces, toCredit, toRefund }: Spread,
): Posting => ({
  kind: 'credit_note_issued',
  about: { object: 'invoice', id: note.id },
  explanation: say('invoice.credit_note', { number: note.number!, invoice: invoice.number! }),
  lines: [
    ...parts.flatMap(({ type, part, fees }): LedgerLine[] => [
      earned(type, part.preTax),
      ...fees.map(({ kind, fee }, n) => feeLine(kind, fee, part.lines[n])),
      { account: 'rounding', amount: part.rounding },
    ]),
    { account: 'receivable', customer: invoice.customer_id, amount: -reduces },
    { account: 'credit', customer: invoice.customer_id, amount: -toCredit },
    { account: 'unapplied', customer: invoice.customer_id, amount: -toRefund },
  ],
});

/**
 * Returns the posting for a voided invoice: nothing is due anymore. Collected charges are forgiven, and used
 * credits become account credit of the customer: the entries themselves stay settled.
 */
export const voided = (
  say: SayStored,
  invoice: InvoiceRow,
  lines: readonly { type: LineType; customer: number; part: PriceParts; entry: boolean; fees: TakenBack['fees'] }[],
): Posting => ({
  kind: 'invoice_voided',
  about: { object: 'invoice', id: invoice.id },
  explanation: say('invoice.voided', { number: invoice.number! }),
  lines: [
    { account: 'receivable', customer: invoice.customer_id, amount: -invoice.total_minor },
    ...lines.flatMap(({ type, customer, part, entry, fees }): LedgerLine[] =>
      entry && partsTotal(part) < 0
        ? [{ account: 'credit', customer, amount: partsTotal(part) }]
        : [
            earned(type, part.preTax),
            ...fees.map(({ kind, fee }, n) => feeLine(kind, fee, part.lines[n])),
            { account: 'rounding', amount: part.rounding },
          ],
    ),
  ],
});
