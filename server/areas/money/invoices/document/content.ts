/** The printed content of an invoice: texts in their order, without a layout. HTML and PDF print the same. Pure. */
import { invoiceSay, type InvoiceSay } from './messages.ts';
import { plainDateIn, spokenAmount } from '../../../../kernel/base/languages/spoken.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Parties } from '../parties.ts';

/** An invoice as it was read, with amounts in minor units. */
export interface Printable {
  readonly id: number;
  readonly number: string;
  readonly isCreditNote: boolean;
  readonly status: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly parties: Parties;
  readonly reason: string | null;
  /** number of the invoice that this credit note credits */
  readonly credits: string | null;
  readonly voidExplanation: string | null;
  readonly discountCode: string | null;
  readonly discount: number;
  readonly included: number;
  readonly list: number;
  readonly rounding: number;
  readonly total: number;
  readonly due: number;
  readonly toRefund: number;
  readonly toCredit: number;
  readonly reduces: number;
  readonly currency: string;
  readonly lines: readonly {
    readonly description: string;
    readonly customer: string | null;
    readonly quantity: number;
    readonly list: number;
    readonly discount: number;
    readonly total: number;
    readonly fees: readonly { readonly name: string; readonly explanation: string; readonly amount: number }[];
  }[];
  /** payments and credit notes; dates are YYYY-MM-DD */
  readonly charges: readonly { readonly on: string; readonly by: string; readonly amount: number }[];
  readonly credit: number;
  readonly creditNotes: readonly { readonly number: string; readonly on: string; readonly reduced: number }[];
}

export interface Row {
  readonly description: string;
  /** in small print below the invoice */
  readonly notes: readonly string[];
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
}

export interface Content {
  /** reader whose language it is written in */
  readonly reader: Reader;
  readonly title: string;
  readonly number: string;
  readonly status: string;
  readonly seller: { readonly name: string; readonly lines: readonly string[] };
  readonly buyer: { readonly name: string; readonly lines: readonly string[] };
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly rows: readonly Row[];
  readonly totals: readonly Total[];
  readonly note: string | null;
}

export interface Total {
  readonly label: string;
  readonly amount: string;
  /** true for the total and the amount due */
  readonly strong?: boolean;
}

/** Formats amounts for the reader, with a minus sign as wide as a digit. */
type Amounts = (minor: number) => string;

/** The formats and texts that the content is written with. */
interface Pen {
  readonly say: InvoiceSay;
  readonly amount: Amounts;
  /** `12 July 2026` */
  readonly day: (date: string) => string;
}

export function contentOf(invoice: Printable, reader: Reader): Content {
  const { isCreditNote, parties, number, currency } = invoice;
  const say = invoiceSay(reader);
  const amount: Amounts = (minor) =>
    `${minor < 0 ? '−' : ''}${spokenAmount(reader, { minor: Math.abs(minor), currency })}`;
  const pen: Pen = { say, amount, day: (date) => plainDateIn(reader, date) };
  const { seller, buyer } = parties;
  return {
    reader,
    title: say(isCreditNote ? 'title.credit_note' : 'title.invoice'),
    number,
    status: statusOf(invoice, pen),
    seller: {
      name: seller.name,
      lines: [...seller.address, seller.email, seller.phone_number, seller.tax_number].filter((line) => line !== null),
    },
    buyer: { name: buyer.name, lines: buyer.email ? [buyer.email] : [] },
    facts: factsOf(invoice, pen),
    rows: invoice.lines.map((line) => ({
      description: line.description,
      notes: [
        ...(line.customer ? [say('line.for', { name: line.customer })] : []),
        ...(line.discount ? [say('line.discount', { amount: amount(-line.discount) })] : []),
        ...line.fees.map((fee) =>
          // A credited share of a fee is not a percentage of any amount on the document.
          isCreditNote || fee.explanation === fee.name
            ? say('line.amount', { name: fee.name, amount: amount(fee.amount) })
            : say('line.formula', { formula: fee.explanation, amount: amount(fee.amount) }),
        ),
      ],
      quantity: String(line.quantity),
      price: amount(line.list),
      amount: amount(line.list - line.discount),
    })),
    totals: totalsOf(invoice, pen),
    note: seller.note,
  };
}

const STATUSES = ['paid', 'voided', 'pending', 'pending_offline'] as const;

function statusOf({ isCreditNote, status, dueOn }: Printable, { say, day }: Pen): string {
  if (isCreditNote) return '';
  const known = STATUSES.find((one) => one === status);
  return known ? say(`status.${known}`) : say('status.due', { day: day(dueOn) });
}

function factsOf(invoice: Printable, { say, day }: Pen): [string, string][] {
  const { isCreditNote, credits, reason, issuedOn, dueOn, currency, voidExplanation } = invoice;
  return [
    [say('fact.number'), invoice.number],
    [say('fact.date'), day(issuedOn)],
    ...(isCreditNote ? [] : ([[say('fact.due'), day(dueOn)]] as [string, string][])),
    ...(credits ? ([[say('fact.credits'), credits]] as [string, string][]) : []),
    ...(reason ? ([[say('fact.reason'), reason]] as [string, string][]) : []),
    ...(voidExplanation ? ([[say('fact.voided'), voidExplanation]] as [string, string][]) : []),
    [say('fact.currency'), currency],
  ];
}

type UnlessZero = (label: string, minor: number) => Total[];

function totalsOf(invoice: Printable, pen: Pen): Total[] {
  const { list, discount, discountCode: code, included, rounding, total, isCreditNote } = invoice;
  const { say, amount } = pen;
  const unlessZero: UnlessZero = (label, minor) => (minor === 0 ? [] : [{ label, amount: amount(minor) }]);
  const fees = Map.groupBy(
    invoice.lines.flatMap((line) => line.fees),
    (fee) => fee.name,
  );
  return [
    { label: say('total.subtotal'), amount: amount(list) },
    ...unlessZero(code ? say('total.discount_code', { code }) : say('total.discount'), -discount),
    ...unlessZero(say('total.included'), -included),
    ...[...fees].flatMap(([name, all]) =>
      unlessZero(
        name,
        all.reduce((sum, fee) => sum + fee.amount, 0),
      ),
    ),
    ...unlessZero(say('total.rounding'), rounding),
    { label: say('total.total'), amount: amount(total), strong: true },
    ...(isCreditNote ? givenBack(invoice, pen, unlessZero) : paidBy(invoice, pen, unlessZero)),
  ];
}

const givenBack = ({ reduces, toCredit, toRefund }: Printable, { say }: Pen, unlessZero: UnlessZero): Total[] => [
  ...unlessZero(say('total.reduces'), reduces),
  ...unlessZero(say('total.to_credit'), toCredit),
  ...unlessZero(say('total.to_refund'), toRefund),
];

const paidBy = (
  { charges, credit, creditNotes, due, status }: Printable,
  { say, amount, day }: Pen,
  unlessZero: UnlessZero,
): Total[] => [
  ...unlessZero(say('total.credit'), -credit),
  ...charges.map((charge) => ({
    label: say('total.paid', { day: day(charge.on), by: charge.by }),
    amount: amount(-charge.amount),
  })),
  ...creditNotes.flatMap(({ number, on, reduced }) =>
    unlessZero(say('total.credit_note', { number, day: day(on) }), -reduced),
  ),
  ...(status === 'voided' ? [] : [{ label: say('total.left'), amount: amount(due), strong: true }]),
];
