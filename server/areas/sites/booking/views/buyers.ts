/** Who can buy something: nobody is logged in, or somebody who is no customer here, or people with a button each. */
import { at, guestLink, withReturn } from '../../accounts/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { At, Written } from '../site.ts';

/** For whom something can be bought; name null: the person before the page. */
export interface Buyer {
  readonly id: number;
  readonly name: string | null;
}

/** null: nobody is logged in; empty: who is logged in is no customer here */
export type Buyers = readonly Buyer[] | null;

/** `path`: of the page, to come back to it. `guest`: of the page where it is bought without an account, if there is one. */
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

/** What the last try was refused with. */
export const problemBox = ({ say }: Pick<Written, 'say'>, problem: string | null): Html | null =>
  problem === null
    ? null
    : html`<div class="problem" role="alert" tabindex="-1" autofocus><h2>${say('problem.title')}</h2><p>${problem}</p></div>`;
