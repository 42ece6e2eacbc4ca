/** A gift card as a page to print and fold. It loads only its picture, and runs no scripts. */
import { addressesOf, storedImage, type StoredImage } from '../../platform/images/index.ts';
import { html, Html } from '../../../kernel/base/markup/html.ts';
import { nameOf, redeemUrl } from './new-code.ts';
import { picture } from '../../../kernel/pages/picture.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { readBusinessName } from '../../people/identity/index.ts';
import { ENGLISH, textDirection } from '../../../kernel/base/languages/languages.ts';
import { PRINTED } from './messages.ts';
import { spokenAmount, spokenDateIn } from '../../../kernel/base/languages/spoken.ts';
import type { GiftCardRow } from './row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const STYLE = `
@page { size: A5 landscape; margin: 10mm }
body { font: 16px/1.5 system-ui, sans-serif; color: #000; background: #fff; max-width: 36em; margin: 1em auto; text-align: center }
h1 { font-size: 26px; margin: 0 0 .5em }
.worth { font-size: 40px; font-weight: 700; margin: .3em 0 }
.code { font: 700 24px/1.4 ui-monospace, monospace; border: 2px solid #000; padding: .5em; display: inline-block }
p { margin: .6em 0; overflow-wrap: anywhere }
.message { white-space: pre-line }
img { max-width: 100%; max-height: 50mm; width: auto; height: auto; margin: 0 0 .5em }
`;

/** Returns the picture that the buyer chose; null if there is none. */
const imageOf = async ({ tx, providerId }: Work, id: number): Promise<StoredImage | null> =>
  (await tx.one<{ image: StoredImage | null }>(
    sql`SELECT ${storedImage('c', raw('c.image_id'))} AS image FROM gift_card c
      WHERE c.provider_id = ${providerId} AND c.id = ${id}`,
  ))!.image;

/** Returns the whole page, in the language of the business. `last`: YYYY-MM-DD; null if it never expires */
export async function printedPage(
  work: Work,
  card: GiftCardRow,
  { code, last, pagesUrl }: { readonly code: string; readonly last: string | null; readonly pagesUrl: string },
): Promise<string> {
  const { words, reader = ENGLISH, currency } = work.tenant;
  const say = PRINTED.for(reader, words);
  const business = await readBusinessName(work.tx, work.providerId);
  const from = await nameOf(work, card.purchaser_id);
  const image = await imageOf(work, card.id);
  const title = card.recipient_name === null ? say('title') : say('title_for', { name: card.recipient_name });
  return html`<!doctype html>
<html lang="${reader.locale}" dir="${textDirection(reader.locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Html(STYLE)}</style></head>
<body><main>
${image && picture(addressesOf(image, pagesUrl), { alt: '', sizes: '36em' })}
<h1>${title}</h1>
<p>${business}</p>
<p class="worth">${spokenAmount(reader, { minor: card.amount_minor, currency })}</p>
${card.message !== null && html`<p class="message" dir="auto">${card.message}</p>`}
${from !== null && html`<p>${say('from', { name: from })}</p>`}
<p class="code" dir="ltr">${code}</p>
<p>${say('redeem_at', { url: redeemUrl(work) })}</p>
${last !== null && html`<p>${say('redeem_by', { day: spokenDateIn(reader, last) })}</p>`}
</main></body></html>`.text;
}
