import { action, file, nothing, read, type FileToSend } from '../../../../kernel/api/endpoint.ts';
import { ENGLISH } from '../../../../kernel/base/languages/languages.ts';
import { counterSale } from './counter-sale.ts';
import { email } from '../../../../kernel/base/fields/kinds.ts';
import { payerOf, type SaleRow } from './rows.ts';
import { receiptHtml } from './receipt-html.ts';
import { receiptOf } from './receipt.ts';
import { sendReceipt } from './send-receipt.ts';
import { whoSells } from '../shown.ts';

const getReceipt = read({
  path: '/counter/sales/{id}/receipt',
  summary: 'Get the receipt of a sale',
  description:
    'A page of HTML for a printer of receipts, 80 mm wide. It says what was sold, how it was paid, the change, and what was refunded since. The invoice is also available as a PDF: `GET /invoices/{id}/document`.',
  who: whoSells,
  target: counterSale,
  returns: file('text/html'),
  run: async ({ work, target }): Promise<FileToSend> => {
    const receipt = await receiptOf(work, target.id, target.invoice_id, work.tenant.reader ?? ENGLISH);
    return { name: `receipt-${receipt.number}.html`, type: 'text/html', draw: () => receiptHtml(receipt) };
  },
});

const path = '/counter/sales/{id}/send_receipt';

const send = action({
  path,
  summary: 'Email the receipt of a sale',
  who: whoSells,
  target: counterSale,
  body: { email: email().describe('Email address for the receipt. It is used for nothing else.') },
  silent: 'The message is in the log of messages, and nothing about the sale changes.',
  returns: nothing,
  run: async ({ work, target, body }) => {
    const sale = target as SaleRow;
    const to = body.email;
    await sendReceipt(work, { sale: sale.id, invoice: sale.invoice_id, customer: await payerOf(work, sale), to });
    work.audit({
      action: `POST ${path}`,
      object: 'counter_sale',
      objectId: sale.id,
      before: null,
      after: { email: to },
    });
  },
});

export const receiptEndpoints = [getReceipt, send];
