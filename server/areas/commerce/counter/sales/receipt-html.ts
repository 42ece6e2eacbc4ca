/** A receipt as a page for a receipt printer: 80 mm wide. The dashboard makes it as long as needed. */
import { html, Html } from '../../../../kernel/base/markup/html.ts';
import { invoiceSay } from '../../../money/invoices/index.ts';
import { receiptSay } from './messages.ts';
import { textDirection } from '../../../../kernel/base/languages/languages.ts';
import type { Receipt } from './receipt.ts';

const STYLE = `
@page { size: 80mm 297mm; margin: 4mm }
* { box-sizing: border-box }
body { font: 12px/1.4 system-ui, sans-serif; color: #000; background: #fff; width: 72mm; margin: 0 auto }
header, .note, footer { text-align: center }
h1 { font-size: 15px; margin: 0 0 1mm }
p { margin: 0 0 2mm; white-space: pre-line; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin: 2mm 0; border-top: 1px dashed #000 }
th, td { padding: .6mm 0; text-align: start; vertical-align: top; font-weight: 400; overflow-wrap: anywhere }
.n { text-align: end; white-space: nowrap; padding-inline-start: 2mm; font-variant-numeric: tabular-nums }
.strong > * { font-weight: 700; font-size: 14px }
small { display: block }
tr { break-inside: avoid }
`;

const lines = (
  all: readonly { readonly label: string; readonly amount: string; readonly strong?: boolean }[],
): Html[] =>
  all.map(
    ({ label, amount, strong }) =>
      html`<tr${strong && html` class="strong"`}><th scope="row">${label}</th><td class="n">${amount}</td></tr>
`,
  );

const table = (caption: string, rows: Html[]): Html | false =>
  rows.length > 0 && html`<table aria-label="${caption}"><tbody>${rows}</tbody></table>`;

/** Returns the whole page; it loads nothing and runs no scripts. */
export function receiptHtml(receipt: Receipt): string {
  const { seller, buyer, number, at, rows, totals, change, refunds, note, reader } = receipt;
  const say = receiptSay(reader);
  const items = rows.map(
    ({ description, quantity, price, amount, notes }) =>
      html`<tr><td>${description}${
        quantity !== '1' && html`<small>${say('pieces', { quantity, price })}</small>`
      }${notes.map((text) => html`<small>${text}</small>`)}</td><td class="n">${amount}</td></tr>
`,
  );
  const page = html`<!doctype html>
<html lang="${reader.locale}" dir="${textDirection(reader.locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${say('title', { number })}</title><style>${new Html(STYLE)}</style></head>
<body><main>
<header><h1>${seller.name}</h1><p>${seller.lines.join('\n')}</p></header>
<p>${say('title', { number })}<br>${at}<br>${buyer}</p>
${table(say('table.items'), items)}${table(say('table.totals'), lines(totals))}
${table(say('table.change'), lines(change))}${table(say('table.refunds'), lines(refunds))}
${note && html`<p class="note">${note}</p>`}
</main></body></html>`;
  return page.text;
}

/** Returns the receipt as the text of an email. */
export const receiptLines = ({ rows, reader }: Receipt): string => {
  const say = invoiceSay(reader);
  return rows
    .map(({ description, quantity, amount }) => {
      const name = quantity === '1' ? description : say('line.times', { quantity, description });
      return say('line.amount', { name, amount });
    })
    .join('\n');
};

export const receiptSums = ({ totals, change, refunds, reader }: Receipt): string =>
  [...totals, ...change, ...refunds]
    .map(({ label: name, amount }) => invoiceSay(reader)('line.amount', { name, amount }))
    .join('\n');
