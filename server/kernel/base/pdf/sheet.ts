/**
 * Pages of a tagged PDF/A-3b: texts in any script under their tags, rules and pictures. It can be archived for as long
 * as the law requires, and read aloud. The same content always produces the same bytes.
 */
import PDFDocument from 'pdfkit';
import { fontOf, FONTS, type Weight } from './fonts.ts';
import type { PaperSize } from './paper.ts';
import { linesOf, RIGHT_TO_LEFT, type Line, type Run } from './lines.ts';
import { textDirection } from '../languages/languages.ts';

export const MARGIN = 56;
const FOOT = 36;
const TEXT = 9.5;
export const SMALL = 8;
/**
 * Relative to the font size: distance of the baseline from the top of the letters, and line height of other scripts.
 */
const ASCENT = 0.93;
const SPACED = 1.4;
const DARK = '#1b1f24';
export const SOFT = '#57606a';
export const LINE = '#d0d7de';

interface Document {
  readonly size: PaperSize;
  /** time of the document in epoch milliseconds */
  readonly at: number;
  readonly title: string;
  readonly author: string;
  readonly locale: string;
}

/** Draws a document and returns its bytes. */
export async function drawPdf(
  { size, at, title, author, locale }: Document,
  draw: (sheet: Sheet) => Promise<void> | void,
): Promise<Buffer> {
  const doc = new PDFDocument({
    size,
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT },
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: locale,
    displayTitle: true,
    bufferPages: true,
    font: FONTS.regular,
    info: { Title: title, Author: author, CreationDate: new Date(at), ModDate: new Date(at) },
  });
  const done = new Promise<Buffer>((resolve, reject) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
  });
  await draw(new Sheet(doc, textDirection(locale) === 'rtl'));
  doc.end();
  return done;
}

export interface Style {
  readonly font?: Weight;
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'start' | 'end';
}

/** Shapes a run as a whole; without features, pdfkit shapes its words one by one, in their stored order. */
const shaped = (): object => ({ lineBreak: false, features: [] });
/** Shapes a run without positioning marks: the shaper fails on some of them, for example in Gurmukhi. */
const coarse = (): object => ({ lineBreak: false, features: { abvm: false, blwm: false, mark: false, mkmk: false } });

/** The font object inside pdfkit, which knows whether the font has a letter. */
interface Within {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/**
 * Positions are those of a document from left to right: `x` is the distance from the side on which lines begin. In a
 * right-to-left language, the sheet mirrors them.
 */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly root: PDFKit.PDFStructureElement;
  readonly width: number;
  /** distance of the next line from the top of the page */
  y = MARGIN;
  /** by font and text */
  readonly #shapes = new Map<string, () => object>();
  readonly #isMirrored: boolean;

  constructor(doc: PDFKit.PDFDocument, isMirrored: boolean) {
    this.doc = doc;
    this.#isMirrored = isMirrored;
    this.width = doc.page.width - 2 * MARGIN;
    this.root = doc.struct('Document');
    doc.addStructure(this.root);
  }

  /** Writes a text of full width under its own tag. */
  paragraph(tag: string, text: string, style: Style): void {
    const height = this.height(text, this.width, style);
    this.room(height);
    this.tagged(this.root, tag, () => this.text(text, MARGIN, this.width, style));
    this.y += height + 4;
  }

  stacked(text: string, x: number, width: number, style: Style, tag = 'P'): void {
    const height = this.height(text, width, style);
    this.tagged(this.root, tag, () => this.text(text, x, width, style));
    this.y += height + 1.5;
  }

  tagged(parent: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
    const element = this.doc.struct(tag);
    parent.add(element);
    element.add(draw);
    element.end();
  }

  text(text: string, x: number, width: number, style: Style) {
    const { font = 'regular', size = TEXT, color = DARK } = style;
    const align = (style.align === 'end') === this.#isMirrored ? 'left' : 'right';
    const left = this.#isMirrored ? this.doc.page.width - x - width : x;
    if (this.#isPlain(text, font)) {
      this.doc.font(FONTS[font]).fontSize(size).fillColor(color).text(text, left, this.y, { width, align });
      return;
    }
    this.#lines(text, width, style).forEach(({ text: stored, runs, width: wide }, n) => {
      // The letters stand as they are seen, and shaped; programs that read or copy them take this instead.
      this.doc.markContent('Span', { actual: stored } as object);
      let at = align === 'right' ? left + width - wide : left;
      const y = this.y + (n * SPACED + ASCENT) * size;
      for (const run of runs) {
        this.doc
          .font(run.font)
          .fontSize(size)
          .fillColor(color)
          .text(run.text, at, y, { ...this.#shape(run, size), baseline: 'alphabetic' });
        at += this.#widthOf(run, size);
      }
      this.doc.endMarkedContent();
    });
  }

  height(text: string, width: number, style: Style): number {
    const { font = 'regular', size = TEXT } = style;
    return this.#isPlain(text, font)
      ? this.doc.font(FONTS[font]).fontSize(size).heightOfString(text, { width })
      : this.#lines(text, width, style).length * SPACED * size;
  }

  /** Draws a picture that is read aloud as `alt`, at most this large. */
  picture(bytes: Buffer, alt: string, [width, height]: readonly [width: number, height: number]): void {
    this.room(height);
    const element = this.doc.struct('Figure', { alt } as object);
    this.root.add(element);
    const left = this.#isMirrored ? this.doc.page.width - MARGIN - width : MARGIN;
    const align = this.#isMirrored ? 'right' : undefined;
    element.add(() => this.doc.image(bytes, left, this.y, { fit: [width, height], align }));
    element.end();
    this.y += height + 4;
  }

  /** Ends the document with a footer on each page, once the number of pages is known. */
  end(footer: (n: number, count: number) => string): void {
    this.root.end();
    const { start, count } = this.doc.bufferedPageRange();
    for (let n = start; n < start + count; n++) {
      this.doc.switchToPage(n);
      const { margins, height } = this.doc.page;
      const bottom = margins.bottom;
      // Otherwise the text would begin a new page.
      margins.bottom = 0;
      this.y = height - MARGIN - 8;
      this.doc.markContent('Artifact', { type: 'Pagination' });
      this.text(footer(n + 1, count), MARGIN, this.width, { size: SMALL, color: SOFT });
      this.doc.endMarkedContent();
      margins.bottom = bottom;
    }
  }

  rule(color: string, from = MARGIN): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    this.doc
      .moveTo(this.#isMirrored ? this.doc.page.width - from : from, this.y)
      .lineTo(this.#isMirrored ? MARGIN : MARGIN + this.width, this.y)
      .lineWidth(0.5)
      .strokeColor(color)
      .stroke();
    this.doc.endMarkedContent();
  }

  fits(height: number): boolean {
    return this.y + height <= this.doc.page.height - MARGIN - FOOT;
  }

  room(height: number): void {
    if (!this.fits(height)) this.page();
  }

  page(): void {
    this.doc.addPage();
    this.y = MARGIN;
  }

  /** Returns true if one font has the whole text, and it runs from left to right. */
  #isPlain(text: string, font: Weight): boolean {
    return (
      !RIGHT_TO_LEFT.test(text) &&
      [...text].every((letter) => letter === '\n' || this.#has(letter.codePointAt(0)!, font))
    );
  }

  #has(codePoint: number, font: Weight): boolean {
    this.doc.font(FONTS[font]);
    return (this.doc as unknown as Within)._font.font.hasGlyphForCodePoint(codePoint);
  }

  #lines(text: string, width: number, { font = 'regular', size = TEXT }: Style): Line[] {
    return linesOf(text, width, {
      fontOf: (cluster) => fontOf(cluster, font, (codePoint) => this.#has(codePoint, font)),
      widthOf: (run) => this.#widthOf(run, size),
    });
  }

  #widthOf(run: Run, size: number): number {
    return this.doc.font(run.font).fontSize(size).widthOfString(run.text, this.#shape(run, size));
  }

  #shape({ text, font }: Run, size: number): PDFKit.Mixins.TextOptions {
    const key = `${font} ${text}`;
    let how = this.#shapes.get(key);
    if (!how) {
      how = shaped;
      try {
        this.doc.font(font).fontSize(size).widthOfString(text, how());
      } catch {
        how = coarse;
      }
      this.#shapes.set(key, how);
    }
    return how();
  }
}
