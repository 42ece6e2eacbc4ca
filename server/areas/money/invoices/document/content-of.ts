import { contentOf, type Content } from './content.ts';
import { readInvoices } from '../row.ts';
import { readPrintable } from './read.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** What an invoice says on paper, in this language: for other papers that say the same. */
export async function contentOfInvoice(work: Work, id: number, reader: Reader): Promise<Content> {
  const [row] = await readInvoices(work, [id]);
  return contentOf(await readPrintable(work, row), reader);
}
