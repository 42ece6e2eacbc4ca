/** A signed waiver as a PDF/A-3b: its text, and below it who signed and when. */
import { setImmediate } from 'node:timers/promises';
import { drawPdf, SOFT } from '../../../../kernel/base/pdf/sheet.ts';
import type { PaperSize } from '../../../../kernel/base/pdf/paper.ts';

export interface Signed {
  readonly size: PaperSize;
  /** time of the signature in epoch milliseconds */
  readonly at: number;
  readonly title: string;
  readonly author: string;
  readonly locale: string;
  readonly text: string;
  readonly facts: readonly string[];
  readonly signature: { readonly png: Buffer; readonly alt: string } | null;
  readonly signed: string;
  readonly footer: (n: number, count: number) => string;
}

const SIGNATURE = [300, 100] as const;
/** A paragraph may be longer than a page, so it is divided. */
const MAX_PART = 1500;

const partsOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${MAX_PART}}(?:\\s|$)|.{1,${MAX_PART}}`, 'gsu')) ?? []);

export const signedPdf = ({ text, facts, signature, signed, footer, ...document }: Signed): Promise<Buffer> =>
  drawPdf(document, async (sheet) => {
    sheet.paragraph('H1', document.title, { font: 'bold', size: 18 });
    sheet.paragraph('P', document.author, { color: SOFT });
    sheet.y += 10;
    for (const [n, part] of partsOf(text).entries()) {
      // Yields, so that other requests are served in between.
      if (n % 20 === 19) await setImmediate();
      sheet.paragraph('P', part, {});
    }
    sheet.y += 14;
    if (signature) sheet.picture(signature.png, signature.alt, SIGNATURE);
    sheet.paragraph('P', signed, { font: 'bold' });
    for (const fact of facts) sheet.paragraph('P', fact, {});
    sheet.end(footer);
  });
