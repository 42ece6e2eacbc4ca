/**
 * Notices to customers about their invoices, in the words of the business, with the same content as the printed
 * document.
 */
import { contentOf, type Content, type Printable } from '../document/content.ts';
import { invoiceSay, type InvoiceSay } from '../document/messages.ts';
import { plainDateIn } from '../../../../kernel/base/languages/spoken.ts';
import { INVOICE_NOTICES } from './notice-types.ts';
import { lockInvoices, readInvoices, type InvoiceRow } from '../row.ts';
import { readPrintables } from '../document/read.ts';
import type { FeedReader } from '../../../../kernel/work/unit/feed-reader.ts';
import type { Notice } from '../../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

type Type = (typeof INVOICE_NOTICES)[keyof typeof INVOICE_NOTICES];

/** After a long standstill, nobody is flooded with old news. */
const STALE_MS = 24 * 3_600_000;

interface Said {
  readonly row: InvoiceRow;
  readonly type: Type;
}

/** Returns the notices in their order; their content is read in one round trip. */
async function noticesOf(work: Work, said: readonly Said[]): Promise<Notice[]> {
  if (said.length === 0) return [];
  const printables = await readPrintables(
    work,
    said.map(({ row }) => row),
  );
  return said.map(({ row, type }, n) => noticeOf(work, row, type, printables[n]));
}

const noticeOf = (work: Work, row: InvoiceRow, type: Type, printable: Printable): Notice => ({
  type,
  customer: row.customer_id,
  key: String(row.id),
  values: (reader) => {
    const { rows, totals, note } = contentOf(printable, reader);
    const totalAt = totals.findIndex(({ strong }) => strong);
    return {
      'invoice.number': row.number,
      'invoice.date': plainDateIn(reader, printable.issuedOn),
      'invoice.due_date': plainDateIn(reader, printable.dueOn),
      'invoice.lines': linesOf(invoiceSay(reader), rows, totals.slice(1, totalAt)),
      'invoice.total': totals[totalAt].amount,
      'invoice.left': totals.at(-1)!.amount,
      'invoice.note': note,
      'invoice.reason': printable.reason,
      'pay.url': `${work.installation.baseUrl}/account/${work.providerId}/profile/owed`,
    };
  },
});

/** Formats the rows; discounts, fees and taxes are between the subtotal and the total. */
const linesOf = (say: InvoiceSay, rows: Content['rows'], between: Content['totals']): string =>
  [
    ...rows.map(({ description, quantity, price: amount }) => {
      const name = quantity === '1' ? description : say('line.times', { quantity, description });
      return say('line.amount', { name, amount });
    }),
    ...between.map(({ label: name, amount }) => say('line.amount', { name, amount })),
  ].join('\n');

/** Returns the notice for the current state of an invoice; null if none is due. */
function typeFor(kind: string, { series, due_minor, total_minor, status }: InvoiceRow): Type | null {
  if (series === 'credit_note') return kind === 'invoice.created' ? INVOICE_NOTICES.credited : null;
  if (kind === 'invoice.paid') return total_minor > 0 ? INVOICE_NOTICES.paid : null;
  // An invoice that was paid immediately has a receipt, and a payment in progress leads to either notice.
  return due_minor > 0 && status !== 'pending' ? INVOICE_NOTICES.issued : null;
}

/** Returns the notice with the complete current state of an invoice, for somebody who asks for it. */
function typeAsked(row: InvoiceRow): Type | null {
  if (row.status === 'voided') return null;
  return typeFor('invoice.created', row) ?? (row.due_minor === 0 ? INVOICE_NOTICES.paid : INVOICE_NOTICES.issued);
}

/**
 * Emails the invoice once more, regardless of earlier messages. Returns the ids of the messages, none if nobody
 * receives one; null if it is voided and there is nothing to send.
 */
export async function sendAgain(work: Work, row: InvoiceRow): Promise<number[] | null> {
  const type = typeAsked(row);
  return type === null ? null : sendNow(work, { row, type });
}

/** Reminds the customer once more. Returns false if nobody receives it. */
export const remindAgain = async (work: Work, row: InvoiceRow): Promise<boolean> =>
  (await sendNow(work, { row, type: INVOICE_NOTICES.reminder })).length > 0;

async function sendNow(work: Work, said: Said): Promise<number[]> {
  const [notice] = await noticesOf(work, [said]);
  const messages = await work.registry.notifier.notify(work, [{ ...notice, key: `${said.row.id}:asked:${work.now}` }]);
  // A message that will not be sent is nevertheless recorded.
  return work.notified.length > 0 ? messages : [];
}

export const invoiceReader: FeedReader = {
  name: 'invoice_notices',
  kinds: ['invoice.created', 'invoice.paid'],
  async read(work, items) {
    const fresh = items.filter(({ occurredAt }) => work.now - occurredAt < STALE_MS);
    const rows = new Map(
      (
        await readInvoices(
          work,
          fresh.map(({ objectId }) => objectId),
        )
      ).map((row) => [row.id, row]),
    );
    const said = fresh.flatMap(({ kind, objectId }): Said[] => {
      const row = rows.get(objectId)!;
      const type = typeFor(kind, row);
      return type ? [{ row, type }] : [];
    });
    await work.registry.notifier.notify(work, await noticesOf(work, said));
  },
};

/** Sends reminders of invoices that are still unpaid, once each, and returns the invoices that were reminded of now. */
export async function remindAboutInvoices(work: Work, ids: readonly number[]): Promise<InvoiceRow[]> {
  const rows = (await lockInvoices(work, ids)).filter(({ due_minor, reminded_at }) => due_minor > 0 && !reminded_at);
  const said = rows.map((row) => ({ row, type: INVOICE_NOTICES.reminder }));
  await work.registry.notifier.notify(work, await noticesOf(work, said));
  return rows;
}
