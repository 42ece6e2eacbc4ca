/** A gift card as a page to print and fold. It loads nothing and runs nothing. */
import { html, Html } from '../../../kernel/api/html.ts';
import { nameOf, redeemUrl } from './new-code.ts';
import { readBusinessName } from '../../people/identity/index.ts';
import { spokenDate } from '../../../kernel/values/spoken-time.ts';
import { worthOf, type GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work.ts';

const STYLE = `
@page { size: A5 landscape; margin: 10mm }
body { font: 16px/1.5 system-ui, sans-serif; color: #000; background: #fff; max-width: 36em; margin: 1em auto; text-align: center }
h1 { font-size: 26px; margin: 0 0 .5em }
.worth { font-size: 40px; font-weight: 700; margin: .3em 0 }
.code { font: 700 24px/1.4 ui-monospace, monospace; border: 2px solid #000; padding: .5em; display: inline-block }
p { margin: .6em 0; overflow-wrap: anywhere }
`;

/** The whole page. `last`: YYYY-MM-DD; null: it never expires */
export async function printedPage(
  work: Work,
  card: GiftCardRow,
  { code, last }: { readonly code: string; readonly last: string | null },
): Promise<string> {
  const { One } = work.tenant.words;
  const business = await readBusinessName(work.tx, work.providerId);
  const from = await nameOf(work, card.purchaser_id);
  const title = card.recipient_name === null ? One.gift_card : `${One.gift_card} for ${card.recipient_name}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Html(STYLE)}</style></head>
<body><main>
<h1>${title}</h1>
<p>${business}</p>
<p class="worth">${worthOf(work, card.amount_minor)}</p>
${from !== null && html`<p>From ${from}</p>`}
<p class="code">${code}</p>
<p>Redeem it at ${redeemUrl(work)}</p>
${last !== null && html`<p>Redeem it by ${spokenDate(last)}.</p>`}
</main></body></html>`.text;
}
