/** Voids an unpaid invoice. It keeps its number. */
import { about, amountOf, invoiceFeed } from './feed.ts';
import { checkIsInvoice, lockInvoice } from './row.ts';
import { instant } from '../../../kernel/base/db/sql.ts';
import { INVOICE_PROBLEMS } from './problems.ts';
import { lockAccounts, post } from '../ledger/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { partsTotal } from '../../pricing/fees/index.ts';
import { readLines } from './lines.ts';
import { takeBackSold } from './sold.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import { voided } from './payment/postings.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Voids an invoice. `why` is a sentence for the customer. */
export async function voidInvoice(work: Work, id: number, why: string): Promise<void> {
  const invoice = await lockInvoice(work, id);
  checkIsInvoice(invoice);
  if (invoice.status === 'voided')
    throw new Problem(INVOICE_PROBLEMS.invoice_voided, `Invoice ${invoice.number} is already voided.`);
  if (invoice.due_minor !== invoice.total_minor || invoice.status === 'paid')
    throw new Problem(
      INVOICE_PROBLEMS.invoice_partly_paid,
      `Invoice ${invoice.number} has payments or credits. Issue a credit note instead.`,
    );
  const lines = await readLines(work, id);
  const returned = lines.reduce((sum, { stands, left }) => sum + partsTotal(stands) - partsTotal(left), 0);
  if (returned !== 0)
    throw new Problem(
      'conflict',
      `${amountOf(work, returned)} of invoice ${invoice.number} was already returned to the customer's account, for a hold or for a membership that was replaced. Issue a credit note for the rest instead.`,
    );
  await takeBackSold(
    work,
    lines.map((line) => ({ line, amount: line.left.preTax })),
    why,
  );
  await lockAccounts(work, [invoice.customer_id, ...lines.map(({ customer }) => customer)]);
  await updateRow(work, 'invoice', id, { status: 'voided', voided_at: instant(work.now), void_explanation: why });
  await post(
    work,
    voided(
      storedTexts(work).say,
      invoice,
      lines.map(({ left: part, entry, ...line }) => ({ ...line, part, entry: entry !== null })),
    ),
  );
  work.record(invoiceFeed.voided, id, { ...about(invoice), amount: amountOf(work, invoice.total_minor) });
}
