/** What the parts of the page of an event share. */
import { html, type Html } from '../../../../../kernel/api/html.ts';
import { amountIn } from '../../../../../kernel/languages/times.ts';
import type { Money } from '../../../../../kernel/values/money.ts';
import type { Offer } from '../instead.ts';
import type { Written } from '../messages.ts';

/** `Free`, where it costs nothing. */
export const priceIn = ({ say, reader }: Written, price: Money): string =>
  price.minor === 0 ? say('price.free') : amountIn(reader.locale, price);

/** `$49.00 per month` */
export const offerPrice = (written: Written, { price, every }: Pick<Offer, 'price' | 'every'>): string =>
  every === null
    ? priceIn(written, price)
    : written.say(`price.every_${every.unit}`, { n: every.length, price: priceIn(written, price) });

/** A text that a business wrote, as it wrote it: paragraphs between empty lines. */
export const paragraphs = (text: string): Html[] =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((part) => html`<p class="own">${part}</p>`);

/** A form of the page that was sent, and what was wrong with it. */
export const problemCard = ({ say }: Written, lines: readonly (Html | string)[]): Html =>
  html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem-title"><h2 id="problem-title">${say('problem')}</h2>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`;
