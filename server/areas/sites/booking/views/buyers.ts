/** Possible buyers: nobody is logged in, or somebody who is not a customer here, or people with a button each. */
import { at, withReturn } from '../../frame/index.ts';
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

/**
 * Renders the choices of a buyer. `path`: of this page, to return to it. `guest`: of the page for people without an
 * account, if there is one.
 */
export function withBuyers(
  visit: At,
  { say }: Pick<Written, 'say'>,
  { buyers, path, guest }: { readonly buyers: Buyers; readonly path: string; readonly guest?: string },
  button: (buyer: Buyer) => Html,
): Html | Html[] {
  const { site } = visit;
  if (buyers === null) {
    const to = (page: string) => withReturn(at(site, page), path);
    return html`<p>${say('memberships.log_in')}</p>
<p class="actions"><a class="button" href="${to('log-in')}">${say('nav.log_in')}</a><a class="button quiet" href="${to('sign-up')}">${say('home.sign_up')}</a>${guest === undefined ? null : guestLink(visit, guest)}</p>`;
  }
  if (buyers.length === 0)
    return html`<p>${say('memberships.join', { name: site.name })}</p><p class="actions"><a class="button" href="${at(site, 'profile')}">${say('nav.account')}</a></p>`;
  return buyers.map(button);
}

/** Renders the refusal of the last attempt. */
export const problemBox = ({ say }: Pick<Written, 'say'>, problem: string | null): Html | null =>
  problem === null
    ? null
    : html`<div class="problem" role="alert" tabindex="-1" autofocus><h2>${say('problem.title')}</h2><p>${problem}</p></div>`;
