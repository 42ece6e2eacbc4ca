/** What an invoice says on paper: texts in their order, without a form. HTML and PDF print the same. Pure. */
import { amountText } from '../../../../kernel/values/money.ts';
import { MONTHS } from '../../../../kernel/values/spoken-time.ts';
import type { Parties } from '../parties.ts';

/** An invoice as it was read, amounts in minor units. */
export interface Printable {
  readonly id: number;
  readonly number: string;
  readonly isCreditNote: boolean;
  readonly status: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly parties: Parties;
  readonly reason: string | null;
  /** of a credit note: the number of the invoice that it takes back */
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
  /** what paid it, and credit notes; dates are YYYY-MM-DD */
  readonly charges: readonly { readonly on: string; readonly by: string; readonly amount: number }[];
  readonly credit: number;
  readonly creditNotes: readonly { readonly number: string; readonly on: string; readonly reduced: number }[];
}

export interface Row {
  readonly description: string;
  /** in small letters below it */
  readonly notes: readonly string[];
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
}

export interface Content {
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
  /** the total, and what is left to pay */
  readonly strong?: boolean;
}

export function contentOf(invoice: Printable): Content {
  const { isCreditNote, parties, number, currency } = invoice;
  const say = (minor: number): string => `${minor < 0 ? '−' : ''}${amountText({ minor: Math.abs(minor), currency })}`;
  const { seller, buyer } = parties;
  return {
    title: isCreditNote ? 'Credit note' : 'Invoice',
    number,
    status: statusOf(invoice),
    seller: {
      name: seller.name,
      lines: [...seller.address, seller.email, seller.phone_number, seller.tax_number].filter((line) => line !== null),
    },
    buyer: { name: buyer.name, lines: buyer.email ? [buyer.email] : [] },
    facts: factsOf(invoice),
    rows: invoice.lines.map((line) => ({
      description: line.description,
      notes: [
        ...(line.customer ? [`For ${line.customer}`] : []),
        ...(line.discount ? [`Discount: ${say(-line.discount)}`] : []),
        ...line.fees.map(({ name, explanation, amount }) =>
          // A share of a fee that is taken back is no percentage of anything on the paper.
          isCreditNote || explanation === name ? `${name}: ${say(amount)}` : `${explanation} = ${say(amount)}`,
        ),
      ],
      quantity: String(line.quantity),
      price: say(line.list),
      amount: say(line.list - line.discount),
    })),
    totals: totalsOf(invoice, say),
    note: seller.note,
  };
}

const STATUS: Readonly<Record<string, string>> = {
  paid: 'Paid',
  voided: 'Void',
  pending: 'Payment pending',
  pending_offline: 'To be paid at the desk',
};

function statusOf({ isCreditNote, status, dueOn }: Printable): string {
  return isCreditNote ? '' : (STATUS[status] ?? `Due on ${dayOf(dueOn)}`);
}

/** `12 July 2026`. */
export const dayOf = (date: string): string => {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
};

function factsOf(invoice: Printable): [string, string][] {
  const { isCreditNote, credits, reason, issuedOn, dueOn, currency, voidExplanation } = invoice;
  return [
    ['Number', invoice.number],
    ['Date', dayOf(issuedOn)],
    ...(isCreditNote ? [] : ([['Due date', dayOf(dueOn)]] as [string, string][])),
    ...(credits ? ([['Takes back', credits]] as [string, string][]) : []),
    ...(reason ? ([['Reason', reason]] as [string, string][]) : []),
    ...(voidExplanation ? ([['Voided', voidExplanation]] as [string, string][]) : []),
    ['Currency', currency],
  ];
}

function totalsOf(invoice: Printable, say: (minor: number) => string): Total[] {
  const { list, discount, discountCode, included, rounding, total, isCreditNote } = invoice;
  const unlessZero = (label: string, minor: number): Total[] => (minor === 0 ? [] : [{ label, amount: say(minor) }]);
  const fees = Map.groupBy(
    invoice.lines.flatMap((line) => line.fees),
    (fee) => fee.name,
  );
  return [
    { label: 'Subtotal', amount: say(list) },
    ...unlessZero(discountCode ? `Discount (${discountCode})` : 'Discount', -discount),
    ...unlessZero('Taxes included in prices, listed below', -included),
    ...[...fees].flatMap(([name, all]) =>
      unlessZero(
        name,
        all.reduce((sum, fee) => sum + fee.amount, 0),
      ),
    ),
    ...unlessZero('Rounding', rounding),
    { label: 'Total', amount: say(total), strong: true },
    ...(isCreditNote ? givenBack(invoice, unlessZero) : paidBy(invoice, say, unlessZero)),
  ];
}

type UnlessZero = (label: string, minor: number) => Total[];

const givenBack = ({ reduces, toCredit, toRefund }: Printable, unlessZero: UnlessZero): Total[] => [
  ...unlessZero('Taken off what was due', reduces),
  ...unlessZero('Account credit', toCredit),
  ...unlessZero('Refunded', toRefund),
];

const paidBy = (
  { charges, credit, creditNotes, due, status }: Printable,
  say: (minor: number) => string,
  unlessZero: UnlessZero,
): Total[] => [
  ...unlessZero('Account credit applied', -credit),
  ...charges.map(({ on, by, amount }) => ({ label: `Paid on ${dayOf(on)}, ${by}`, amount: say(-amount) })),
  ...creditNotes.flatMap(({ number, on, reduced }) => unlessZero(`Credit note ${number} of ${dayOf(on)}`, -reduced)),
  ...(status === 'voided' ? [] : [{ label: 'Left to pay', amount: say(due), strong: true }]),
];
