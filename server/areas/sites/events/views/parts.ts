/** Elements that the parts of an event's page share. */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Offer } from '../instead.ts';
import type { Participant } from '../event-view.ts';
import { writtenFor, type Written } from '../messages.ts';
import type { At } from '../../frame/index.ts';

/** Returns the price, or `Free` if it costs nothing. */
export const priceIn = ({ say, reader }: Written, price: Money): string =>
  price.minor === 0 ? say('price.free') : amountIn(reader.locale, price);

/** `$49.00 per month` */
export const offerPrice = (written: Written, { price, every }: Pick<Offer, 'price' | 'every'>): string =>
  every === null
    ? priceIn(written, price)
    : written.say(`price.every_${every.unit}`, { n: every.length, price: priceIn(written, price) });

/** Returns the price of a plan in the language of the person who reads the page. */
export const repeatedPrice = (visit: At, offer: Pick<Offer, 'price' | 'every'>): string =>
  offerPrice(writtenFor(visit), offer);

/**
 * Renders a text of the business unchanged: empty lines separate paragraphs. It keeps its own direction in a page of
 * another one.
 */
export const paragraphs = (text: string): Html[] =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((part) => html`<p class="own"><bdi>${part}</bdi></p>`);

/** Renders the first line of a text of the business. */
export const firstLine = (text: string): Html => html`<bdi>${text.split(/\n/)[0]}</bdi>`;

/** Returns the name of a person in a list of people. */
export const nameOf = ({ say }: Written, { name }: Pick<Participant, 'name'>): string => name ?? say('together.you');
