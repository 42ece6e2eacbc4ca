/**
 * Lists of links. An anchor that a page once had stays on it, as the id of a link to the current page: visitors with an
 * old URL land on that link, and the script of the pages follows it.
 */
import { html, type Html } from '../../../kernel/base/markup/html.ts';

export const placeIn = (id: string, address: string, text: Html | string, more: Html | false = false): Html =>
  html`<li id="${id}"><a href="${address}">${text}</a>${more}</li>`;

export const places = (all: readonly Html[]): Html => html`<ul class="plain" data-leads-on>${all}</ul>`;
