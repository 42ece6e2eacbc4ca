/**
 * Lists of places that lead on. What once stood on a page keeps its id there, on a link to the page that it has now:
 * somebody who followed an old address is at that link, and the script of the pages goes on to where it leads.
 */
import { html, type Html } from '../base/markup/html.ts';

export const placeIn = (id: string, address: string, text: Html | string, more: Html | false = false): Html =>
  html`<li id="${id}"><a href="${address}">${text}</a>${more}</li>`;

export const places = (all: readonly Html[]): Html => html`<ul class="plain" data-leads-on>${all}</ul>`;
