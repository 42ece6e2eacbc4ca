import { contentOf } from './content.ts';
import { ENGLISH } from '../../../../kernel/base/languages/languages.ts';
import { file, read, type FileToSend } from '../../../../kernel/api/endpoint.ts';
import { htmlOf } from './html.ts';
import { invoice } from '../invoice.ts';
import { paperIn } from '../../../../kernel/base/pdf/paper.ts';
import { oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { readPrintable } from './read.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { who } from '../reading/find-invoices.ts';
import type { InvoiceRow } from '../row.ts';

export const document = read({
  path: '/invoices/{id}/document',
  summary: 'Get an invoice as a document',
  description:
    'For sending, printing and archiving: a PDF/A-3b with tags, or a page of HTML. In the language of the business.',
  who,
  target: invoice,
  query: { format: oneOf(['pdf', 'html']).default('pdf') },
  returns: file('application/pdf', 'text/html'),
  run: async ({ work, target, query: { format } }): Promise<FileToSend> => {
    const row = target as InvoiceRow;
    const content = contentOf(await readPrintable(work, row), work.tenant.reader ?? ENGLISH);
    if (format === 'html') return { name: `${row.number}.html`, type: 'text/html', draw: () => htmlOf(content) };
    const business = await work.tx.one<{ country: string }>(
      sql`SELECT country FROM provider WHERE provider_id = ${work.providerId}`,
    );
    return {
      name: `${row.number}.pdf`,
      type: 'application/pdf',
      // Loaded on first use: the PDF writer takes memory that a service without invoices doesn't need.
      draw: async () =>
        (await import('./pdf.ts')).pdfOf(content, { size: paperIn(business!.country), at: row.created_at }),
    };
  },
});
