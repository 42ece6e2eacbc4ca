/**
 * An invoice as a tagged PDF/A-3b: it can be archived for as long as the law requires, and read aloud. The same invoice
 * always produces the same bytes.
 */
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { fontOf, FONTS, type Weight } from './fonts.ts';
import { linesOf, RIGHT_TO_LEFT, type Line, type Run } from './lines.ts';
import { invoiceSay, type InvoiceSay } from './messages.ts';
import type { Content, Row, Total } from './content.ts';

const MARGIN = 56;
const FOOT = 36;
const TEXT = 9.5;
const SMALL = 8;
/**
 * Relative to the font size: distance of the baseline from the top of the letters, and line height of other scripts.
 */
const ASCENT = 0.93;
const SPACED = 1.4;
const DARK = '#1b1f24';
const SOFT = '#57606a';
const LINE = '#d0d7de';

export interface Paper {
  readonly size: 'A4' | 'LETTER';
  /** time of the invoice in epoch milliseconds */
  readonly at: number;
}

export async function pdfOf(content: Content, paper: Paper): Promise<Buffer> {
  const { size, at } = paper;
  const doc = new PDFDocument({
    size,
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT },
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: content.reader.locale,
    displayTitle: true,
    bufferPages: true,
    font: FONTS.regular,
    info: {
      Title: `${content.title} ${content.number}`,
      Author: content.seller.name,
      CreationDate: new Date(at),
      ModDate: new Date(at),
    },
  });
  const done = new Promise<Buffer>((resolve, reject) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => resolve(Buffer.concat(parts)));
    doc.on('error', reject);
  });
  await new Sheet(doc, content).draw();
  doc.end();
  return done;
}

const COLUMNS = ['column.description', 'column.quantity', 'column.price', 'column.amount'] as const;

interface Style {
  readonly font?: Weight;
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Shapes a run as a whole; without features, pdfkit shapes its words one by one, in their stored order. */
const shaped = (): object => ({ lineBreak: false, features: [] });
/** Shapes a run without positioning marks: the shaper fails on some of them, for example in Gurmukhi. */
const coarse = (): object => ({ lineBreak: false, features: { abvm: false, blwm: false, mark: false, mkmk: false } });

/** The font object inside pdfkit, which knows whether the font has a letter. */
interface Within {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

class Sheet {
  readonly #doc: PDFKit.PDFDocument;
  readonly #content: Content;
  readonly #say: InvoiceSay;
  readonly #root: PDFKit.PDFStructureElement;
  readonly #width: number;
  /** by font and text */
  readonly #shapes = new Map<string, () => object>();
  #y = MARGIN;

  constructor(doc: PDFKit.PDFDocument, content: Content) {
    this.#doc = doc;
    this.#content = content;
    this.#say = invoiceSay(content.reader);
    this.#width = doc.page.width - 2 * MARGIN;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  async draw(): Promise<void> {
    const { title, number, status, note } = this.#content;
    this.#paragraph('H1', `${title} ${number}`, { font: 'bold', size: 18 });
    if (status) this.#paragraph('P', status, { font: 'bold', size: 11 });
    this.#y += 14;
    this.#head();
    await this.#rows();
    this.#totals();
    if (note) {
      this.#y += 14;
      this.#paragraph('P', note, { color: SOFT });
    }
    this.#root.end();
    this.#footers();
  }

  /** Writes a text of full width under its own tag. */
  #paragraph(tag: string, text: string, style: Style): void {
    const height = this.#height(text, this.#width, style);
    this.#room(height);
    this.#tagged(this.#root, tag, () => this.#text(text, MARGIN, this.#width, style));
    this.#y += height + 4;
  }

  #head(): void {
    const { seller, buyer, facts } = this.#content;
    const column = (this.#width - 24) / 3;
    const top = this.#y;
    let bottom = top;
    [
      { title: this.#say('party.from'), name: seller.name, lines: seller.lines },
      { title: this.#say('party.to'), name: buyer.name, lines: buyer.lines },
      {
        title: this.#say('party.details'),
        name: null,
        lines: facts.map(([label, value]) => this.#say('fact.line', { label, value })),
      },
    ].forEach(({ title, name, lines }, n) => {
      const x = MARGIN + n * (column + 12);
      this.#y = top;
      this.#stacked(title, x, column, { size: SMALL, color: SOFT }, 'H2');
      if (name) this.#stacked(name, x, column, { font: 'bold' });
      for (const line of lines) this.#stacked(line, x, column, {});
      bottom = Math.max(bottom, this.#y);
    });
    this.#y = bottom + 18;
  }

  #stacked(text: string, x: number, width: number, style: Style, tag = 'P'): void {
    const height = this.#height(text, width, style);
    this.#tagged(this.#root, tag, () => this.#text(text, x, width, style));
    this.#y += height + 1.5;
  }

  #columns(): { readonly x: number; readonly width: number; readonly align: 'left' | 'right' }[] {
    const [quantity, price, amount] = [58, 90, 90];
    const first = this.#width - quantity - price - amount;
    const at = (x: number, width: number) => ({ x: MARGIN + x, width: width - 8, align: 'right' as const });
    return [
      { x: MARGIN, width: first - 8, align: 'left' },
      at(first + 8, quantity),
      at(first + quantity + 8, price),
      at(first + quantity + price + 8, amount),
    ];
  }

  async #rows(): Promise<void> {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    this.#headings(table);
    for (const [n, row] of this.#content.rows.entries()) {
      // Yields, so that other requests are served in between.
      if (n % 20 === 19) await setImmediate();
      const height = this.#rowHeight(row);
      if (!this.#fits(height)) {
        this.#page();
        this.#headings(table);
      }
      this.#row(table, row);
      this.#y += height;
      this.#rule(LINE);
      this.#y += 5;
    }
    table.end();
    this.#y += 8;
  }

  #headings(table: PDFKit.PDFStructureElement): void {
    const row = this.#doc.struct('TR');
    table.add(row);
    COLUMNS.forEach((key, n) => {
      const { x, width, align } = this.#columns()[n];
      const cell = this.#doc.struct('TH', { scope: 'Column' } as object);
      row.add(cell);
      cell.add(() => this.#text(this.#say(key), x, width, { size: SMALL, color: SOFT, align }));
      cell.end();
    });
    row.end();
    this.#y += 14;
    this.#rule(SOFT);
    this.#y += 6;
  }

  #rowHeight({ description, notes }: Row): number {
    const { width } = this.#columns()[0];
    const small = notes.map((note) => this.#height(note, width, { size: SMALL }) + 1.5);
    return this.#height(description, width, {}) + small.reduce((all, one) => all + one, 0) + 5;
  }

  #row(table: PDFKit.PDFStructureElement, { description, notes, quantity, price, amount }: Row): void {
    const row = this.#doc.struct('TR');
    table.add(row);
    const [first, ...others] = this.#columns();
    const top = this.#y;
    this.#tagged(row, 'TD', () => {
      this.#text(description, first.x, first.width, {});
      this.#y += this.#height(description, first.width, {}) + 1.5;
      for (const note of notes) {
        this.#text(note, first.x, first.width, { size: SMALL, color: SOFT });
        this.#y += this.#height(note, first.width, { size: SMALL }) + 1.5;
      }
    });
    this.#y = top;
    [quantity, price, amount].forEach((text, n) => {
      const { x, width, align } = others[n];
      this.#tagged(row, 'TD', () => this.#text(text, x, width, { align }));
    });
    row.end();
  }

  #totals(): void {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    for (const total of this.#content.totals) this.#total(table, total);
    table.end();
  }

  #total(table: PDFKit.PDFStructureElement, { label, amount, strong }: Total): void {
    const style: Style = strong ? { font: 'bold', size: 10.5 } : {};
    const [from, width] = [MARGIN + this.#width * 0.4, this.#width * 0.6];
    const height = this.#height(label, width - 100, style);
    this.#room(height + 10);
    if (strong) {
      this.#y += 3;
      this.#rule(SOFT, from);
      this.#y += 5;
    }
    const row = this.#doc.struct('TR');
    table.add(row);
    const heading = this.#doc.struct('TH', { scope: 'Row' } as object);
    row.add(heading);
    heading.add(() => this.#text(label, from, width - 100, style));
    heading.end();
    this.#tagged(row, 'TD', () => this.#text(amount, from + width - 98, 98, { ...style, align: 'right' }));
    row.end();
    this.#y += height + 4;
  }

  /** Writes the footers of all pages, once the number of pages is known. */
  #footers(): void {
    const { title, number, seller } = this.#content;
    const { start, count } = this.#doc.bufferedPageRange();
    for (let n = start; n < start + count; n++) {
      this.#doc.switchToPage(n);
      const { margins, height } = this.#doc.page;
      const bottom = margins.bottom;
      // Otherwise the text would begin a new page.
      margins.bottom = 0;
      this.#y = height - MARGIN - 8;
      const text = this.#say('page.of', { seller: seller.name, title, number, n: n + 1, count });
      this.#doc.markContent('Artifact', { type: 'Pagination' });
      this.#text(text, MARGIN, this.#width, { size: SMALL, color: SOFT });
      this.#doc.endMarkedContent();
      margins.bottom = bottom;
    }
  }

  #tagged(parent: PDFKit.PDFStructureElement, tag: string, draw: () => void): void {
    const element = this.#doc.struct(tag);
    parent.add(element);
    element.add(draw);
    element.end();
  }

  #text(text: string, x: number, width: number, style: Style) {
    const { font = 'regular', size = TEXT, color = DARK, align = 'left' } = style;
    if (this.#isPlain(text, font)) {
      this.#doc.font(FONTS[font]).fontSize(size).fillColor(color).text(text, x, this.#y, { width, align });
      return;
    }
    this.#lines(text, width, style).forEach(({ text: stored, runs, width: wide }, n) => {
      // The letters stand as they are seen, and shaped; programs that read or copy them take this instead.
      this.#doc.markContent('Span', { actual: stored } as object);
      let at = align === 'right' ? x + width - wide : x;
      const y = this.#y + (n * SPACED + ASCENT) * size;
      for (const run of runs) {
        this.#doc
          .font(run.font)
          .fontSize(size)
          .fillColor(color)
          .text(run.text, at, y, { ...this.#shape(run, size), baseline: 'alphabetic' });
        at += this.#widthOf(run, size);
      }
      this.#doc.endMarkedContent();
    });
  }

  #height(text: string, width: number, style: Style): number {
    const { font = 'regular', size = TEXT } = style;
    return this.#isPlain(text, font)
      ? this.#doc.font(FONTS[font]).fontSize(size).heightOfString(text, { width })
      : this.#lines(text, width, style).length * SPACED * size;
  }

  /** Returns true if one font has the whole text, and it runs from left to right. */
  #isPlain(text: string, font: Weight): boolean {
    return (
      !RIGHT_TO_LEFT.test(text) &&
      [...text].every((letter) => letter === '\n' || this.#has(letter.codePointAt(0)!, font))
    );
  }

  #has(codePoint: number, font: Weight): boolean {
    this.#doc.font(FONTS[font]);
    return (this.#doc as unknown as Within)._font.font.hasGlyphForCodePoint(codePoint);
  }

  #lines(text: string, width: number, { font = 'regular', size = TEXT }: Style): Line[] {
    return linesOf(text, width, {
      fontOf: (cluster) => fontOf(cluster, font, (codePoint) => this.#has(codePoint, font)),
      widthOf: (run) => this.#widthOf(run, size),
    });
  }

  #widthOf(run: Run, size: number): number {
    return this.#doc.font(run.font).fontSize(size).widthOfString(run.text, this.#shape(run, size));
  }

  #shape({ text, font }: Run, size: number): PDFKit.Mixins.TextOptions {
    const key = `${font} ${text}`;
    let how = this.#shapes.get(key);
    if (!how) {
      how = shaped;
      try {
        this.#doc.font(font).fontSize(size).widthOfString(text, how());
      } catch {
        how = coarse;
      }
      this.#shapes.set(key, how);
    }
    return how();
  }

  #rule(color: string, from = MARGIN): void {
    this.#doc.markContent('Artifact', { type: 'Layout' });
    this.#doc
      .moveTo(from, this.#y)
      .lineTo(MARGIN + this.#width, this.#y)
      .lineWidth(0.5)
      .strokeColor(color)
      .stroke();
    this.#doc.endMarkedContent();
  }

  #fits(height: number): boolean {
    return this.#y + height <= this.#doc.page.height - MARGIN - FOOT;
  }

  #room(height: number): void {
    if (!this.#fits(height)) this.#page();
  }

  #page(): void {
    this.#doc.addPage();
    this.#y = MARGIN;
  }
}
