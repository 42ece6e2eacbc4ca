/** Possible buyers: nobody is logged in, or somebody who is not a customer here, or people with a button each. */
import { at, startForm, startLink, waysAfter, type Refused } from '../../frame/index.ts';
import { guestLink } from '../../guests/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { At, Written } from '../site.ts';

/** A person for whom something can be bought; name null: the person who reads the page. */
export interface Buyer {
  readonly id: number;
  readonly name: string | null;
}

/** null: nobody is logged in; empty: the person who is logged in is not a customer here */
export type Buyers = readonly Buyer[] | null;

interface Buying {
  readonly buyers: Buyers;
  readonly path: string;
  readonly guest?: string;
  /** one of several things on the page */
  readonly among?: boolean;
}

/**
 * Renders the choices of a buyer. `path`: of this page, to return to it. `guest`: of the page for people without an
 * account, if there is one.
 */
export function withBuyers(
  visit: At,
  { say }: Pick<Written, 'say'>,
  { buyers, path, guest, among = false }: Buying,
  button: (buyer: Buyer) => Html,
): Html | Html[] {
  const { site } = visit;
  if (buyers === null)
    return html`${
      among
        ? html`<p class="actions">${startLink(visit, say, path)}</p>`
        : html`<p>${say('start.text')}</p>${startForm(visit, say, path)}`
    }${guest === undefined ? null : html`<p class="actions">${guestLink(visit, guest)}</p>`}`;
  if (buyers.length === 0)
    return html`<p>${say('memberships.join', { name: site.name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile')}">${say('nav.account')}</a></p>`;
  return buyers.map(button);
}

/** Renders the refusal of the last attempt, with the ways on; `others`: those of the page. */
export const problemBox = (
  visit: At,
  written: Pick<Written, 'say'>,
  problem: Refused | null,
  others: readonly Html[],
): Html | null =>
  problem === null
    ? null
    : html`<div class="problem" role="alert" tabindex="-1" autofocus><h2>${written.say('problem.title')}</h2><p>${problem.text}</p>
${waysAfter(visit, written, problem, others)}</div>`;
