/** An invoice as a PDF/A-3b. */
import { setImmediate } from 'node:timers/promises';
import { drawPdf, LINE, MARGIN, SMALL, SOFT, type Sheet, type Style } from '../../../../kernel/base/pdf/sheet.ts';
import type { PaperSize } from '../../../../kernel/base/pdf/paper.ts';
import { invoiceSay, type InvoiceSay } from './messages.ts';
import type { Content, Row, Total } from './content.ts';

export interface Paper {
  readonly size: PaperSize;
  /** time of the invoice in epoch milliseconds */
  readonly at: number;
}

export const pdfOf = (content: Content, paper: Paper): Promise<Buffer> =>
  drawPdf(
    {
      ...paper,
      title: `${content.title} ${content.number}`,
      author: content.seller.name,
      locale: content.reader.locale,
    },
    (sheet) => new InvoiceSheet(sheet, content).draw(),
  );

const numbersAt = (x: number, width: number) => ({ x: MARGIN + x, width: width - 8, align: 'end' as const });

const COLUMNS = ['column.description', 'column.quantity', 'column.price', 'column.amount'] as const;

class InvoiceSheet {
  readonly #sheet: Sheet;
  readonly #content: Content;
  readonly #say: InvoiceSay;

  constructor(sheet: Sheet, content: Content) {
    this.#sheet = sheet;
    this.#content = content;
    this.#say = invoiceSay(content.reader);
  }

  async draw(): Promise<void> {
    const { title, number, status, note } = this.#content;
    this.#sheet.paragraph('H1', `${title} ${number}`, { font: 'bold', size: 18 });
    if (status) this.#sheet.paragraph('P', status, { font: 'bold', size: 11 });
    this.#sheet.y += 14;
    this.#head();
    await this.#rows();
    this.#totals();
    if (note) {
      this.#sheet.y += 14;
      this.#sheet.paragraph('P', note, { color: SOFT });
    }
    const { seller } = this.#content;
    this.#sheet.end((n, count) => this.#say('page.of', { seller: seller.name, title, number, n, count }));
  }

  #head(): void {
    const { seller, buyer, facts } = this.#content;
    const column = (this.#sheet.width - 24) / 3;
    const top = this.#sheet.y;
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
      this.#sheet.y = top;
      this.#sheet.stacked(title, x, column, { size: SMALL, color: SOFT }, 'H2');
      if (name) this.#sheet.stacked(name, x, column, { font: 'bold' });
      for (const line of lines) this.#sheet.stacked(line, x, column, {});
      bottom = Math.max(bottom, this.#sheet.y);
    });
    this.#sheet.y = bottom + 18;
  }

  #columns(): { readonly x: number; readonly width: number; readonly align: 'start' | 'end' }[] {
    const [quantity, price, amount] = [58, 90, 90];
    const first = this.#sheet.width - quantity - price - amount;
    return [
      { x: MARGIN, width: first - 8, align: 'start' },
      numbersAt(first + 8, quantity),
      numbersAt(first + quantity + 8, price),
      numbersAt(first + quantity + price + 8, amount),
    ];
  }

  async #rows(): Promise<void> {
    const table = this.#sheet.doc.struct('Table');
    this.#sheet.root.add(table);
    this.#headings(table);
    for (const [n, row] of this.#content.rows.entries()) {
      // Yields, so that other requests are served in between.
      if (n % 20 === 19) await setImmediate();
      const height = this.#rowHeight(row);
      if (!this.#sheet.fits(height)) {
        this.#sheet.page();
        this.#headings(table);
      }
      this.#row(table, row);
      this.#sheet.y += height;
      this.#sheet.rule(LINE);
      this.#sheet.y += 5;
    }
    table.end();
    this.#sheet.y += 8;
  }

  #headings(table: PDFKit.PDFStructureElement): void {
    const row = this.#sheet.doc.struct('TR');
    table.add(row);
    COLUMNS.forEach((key, n) => {
      const { x, width, align } = this.#columns()[n];
      const cell = this.#sheet.doc.struct('TH', { scope: 'Column' } as object);
      row.add(cell);
      cell.add(() => this.#sheet.text(this.#say(key), x, width, { size: SMALL, color: SOFT, align }));
      cell.end();
    });
    row.end();
    this.#sheet.y += 14;
    this.#sheet.rule(SOFT);
    this.#sheet.y += 6;
  }

  #rowHeight({ description, notes }: Row): number {
    const { width } = this.#columns()[0];
    const small = notes.map((note) => this.#sheet.height(note, width, { size: SMALL }) + 1.5);
    return this.#sheet.height(description, width, {}) + small.reduce((all, one) => all + one, 0) + 5;
  }

  #row(table: PDFKit.PDFStructureElement, { description, notes, quantity, price, amount }: Row): void {
    const row = this.#sheet.doc.struct('TR');
    table.add(row);
    const [first, ...others] = this.#columns();
    const top = this.#sheet.y;
    this.#sheet.tagged(row, 'TD', () => {
      this.#sheet.text(description, first.x, first.width, {});
      this.#sheet.y += this.#sheet.height(description, first.width, {}) + 1.5;
      for (const note of notes) {
        this.#sheet.text(note, first.x, first.width, { size: SMALL, color: SOFT });
        this.#sheet.y += this.#sheet.height(note, first.width, { size: SMALL }) + 1.5;
      }
    });
    this.#sheet.y = top;
    [quantity, price, amount].forEach((text, n) => {
      const { x, width, align } = others[n];
      this.#sheet.tagged(row, 'TD', () => this.#sheet.text(text, x, width, { align }));
    });
    row.end();
  }

  #totals(): void {
    const table = this.#sheet.doc.struct('Table');
    this.#sheet.root.add(table);
    for (const total of this.#content.totals) this.#total(table, total);
    table.end();
  }

  #total(table: PDFKit.PDFStructureElement, { label, amount, strong }: Total): void {
    const style: Style = strong ? { font: 'bold', size: 10.5 } : {};
    const [from, width] = [MARGIN + this.#sheet.width * 0.4, this.#sheet.width * 0.6];
    const height = this.#sheet.height(label, width - 100, style);
    this.#sheet.room(height + 10);
    if (strong) {
      this.#sheet.y += 3;
      this.#sheet.rule(SOFT, from);
      this.#sheet.y += 5;
    }
    const row = this.#sheet.doc.struct('TR');
    table.add(row);
    const heading = this.#sheet.doc.struct('TH', { scope: 'Row' } as object);
    row.add(heading);
    heading.add(() => this.#sheet.text(label, from, width - 100, style));
    heading.end();
    this.#sheet.tagged(row, 'TD', () => this.#sheet.text(amount, from + width - 98, 98, { ...style, align: 'end' }));
    row.end();
    this.#sheet.y += height + 4;
  }
}
