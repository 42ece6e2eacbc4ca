/** An invoice as a page, for display and for printing in a browser. */
import { html, Html } from '../../../../kernel/base/markup/html.ts';
import { invoiceSay } from './messages.ts';
import { textDirection } from '../../../../kernel/base/languages/languages.ts';
import type { Content } from './content.ts';

const STYLE = `
@page { margin: 2cm }
body { font: 15px/1.45 system-ui, sans-serif; color: #1b1f24; background: #fff; max-width: 46rem; margin: 2rem auto; padding: 0 1.25rem }
header, .parties { display: flex; justify-content: space-between; gap: 2rem; flex-wrap: wrap }
h1 { font-size: 1.7rem; margin: 0 }
h2 { font-size: .8rem; margin: 0 0 .25rem; color: #57606a; font-weight: 600 }
.status { font-weight: 600; align-self: center }
.parties { margin: 2rem 0 }
.parties p, .note { margin: 0; white-space: pre-line; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: auto 1fr; align-content: start; gap: .1rem 1rem; margin: 0 }
dt { color: #57606a }
dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin: 1.5rem 0 1rem }
th { text-align: start; font-size: .8rem; color: #57606a; border-bottom: 1px solid #57606a }
th, td { padding: .5rem .4rem; vertical-align: top }
tbody td { border-bottom: 1px solid #d0d7de; overflow-wrap: anywhere }
tr { break-inside: avoid }
small { display: block; color: #57606a }
.n { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
.totals { margin-block: 0 2rem; margin-inline: auto 0; width: auto; min-width: 55% }
.totals th { font-size: inherit; font-weight: 400; color: inherit; border: 0 }
.totals td, .totals th { border: 0; padding: .2rem .4rem }
.totals .strong > * { font-weight: 700; border-top: 1px solid #57606a }
`;

const party = (title: string, { name, lines }: Content['seller']): Html =>
  html`<div><h2>${title}</h2><p>${html`<strong>${name}</strong>`}${lines.map(
    (line) => html`<br><bdi>${line}</bdi>`,
  )}</p></div>`;

const COLUMNS = ['column.quantity', 'column.price', 'column.amount'] as const;

/** Returns the whole page, which loads no resources and runs no scripts. */
export function htmlOf(content: Content): string {
  const { title, number, status, facts, rows, totals, note, reader } = content;
  const say = invoiceSay(reader);
  const page = html`<!doctype html>
<html lang="${reader.locale}" dir="${textDirection(reader.locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${number}</title><style>${new Html(STYLE)}</style></head>
<body><main>
<header><h1>${title} ${number}</h1>${status && html`<p class="status">${status}</p>`}</header>
<div class="parties">${party(say('party.from'), content.seller)}${party(say('party.to'), content.buyer)}
<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl></div>
<table><thead><tr><th scope="col">${say('column.description')}</th>${COLUMNS.map(
    (one) => html`<th scope="col" class="n">${say(one)}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.description}${row.notes.map(
        (text) => html`<small>${text}</small>`,
      )}</td><td class="n">${row.quantity}</td><td class="n">${row.price}</td><td class="n">${row.amount}</td></tr>
`,
  )}</tbody></table>
<table class="totals"><tbody>${totals.map(
    ({ label, amount, strong }) =>
      html`<tr${strong && html` class="strong"`}><th scope="row">${label}</th><td class="n">${amount}</td></tr>
`,
  )}</tbody></table>
${note && html`<p class="note">${note}</p>`}
</main></body></html>`;
  return page.text;
}
