import { contentOf, type Content } from './content.ts';
import { readInvoices } from '../row.ts';
import { readPrintable } from './read.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Returns the printed content of an invoice in a language, for other documents with the same content. */
export async function contentOfInvoice(work: Work, id: number, reader: Reader): Promise<Content> {
  const [row] = await readInvoices(work, [id]);
  return contentOf(await readPrintable(work, row), reader);
}
