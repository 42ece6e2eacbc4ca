/** What the parts of the page of an event share. */
import { html, type Html } from '../../../../../kernel/base/markup/html.ts';
import { amountIn } from '../../../../../kernel/base/languages/times.ts';
import type { Money } from '../../../../../kernel/base/values/money.ts';
import type { Offer } from '../instead.ts';
import type { Participant } from '../event-view.ts';
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

/** How somebody is called who is named among others. */
export const nameOf = ({ say }: Written, { name }: Pick<Participant, 'name'>): string => name ?? say('together.you');
