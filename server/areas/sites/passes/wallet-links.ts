/** Links that add a pass to the wallet of a phone. */
import { at, namesOf, type At } from '../frame/index.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { openNow, type Wallets } from '../../../kernel/base/passes/index.ts';
import { writtenFor } from './messages.ts';

type Wallet = keyof Wallets;

/** `event`: the booked event; null: the pass with the customer's code for the door. */
export interface PassOf {
  readonly customer: number;
  /** null: the person who reads the page */
  readonly name: string | null;
  readonly event: number | null;
}

export const passPath = ({ customer, event }: Pick<PassOf, 'customer' | 'event'>, wallet: string): string =>
  event === null ? `passes/${customer}/${wallet}` : `passes/events/${event}/${customer}/${wallet}`;

/** Returns the wallets for this device. A phone has one of them; other devices can't tell which phone somebody has. */
function walletsHere(visit: At, wallets: Wallets): Wallet[] {
  const { system } = namesOf(visit.agent);
  const open = openNow(wallets, visit.now);
  return (['apple', 'google'] as const).filter(
    (wallet) => open[wallet] !== null && system !== (wallet === 'apple' ? 'Android' : 'iPhone'),
  );
}

/** Returns null if no configured wallet works on this device. */
export function passWays(visit: At, wallets: Wallets, of: PassOf): Html | null {
  const { say } = writtenFor(visit);
  const here = walletsHere(visit, wallets);
  const way = (wallet: Wallet) => {
    const label = say(`add.${wallet}`);
    const whose = of.name === null ? null : html` aria-label="${label}: ${of.name}"`;
    // The two links are equal in rank, next to each other.
    return html`<span><a class="button quiet" href="${at(visit.site, passPath(of, wallet))}"${whose}>${label}</a></span>`;
  };
  return here.length === 0 ? null : html`<p class="actions">${here.map(way)}</p>`;
}

/** Renders the links below a booking, with a note about the pass. */
export function bookingWays(visit: At, wallets: Wallets, of: PassOf): Html | null {
  const ways = passWays(visit, wallets, of);
  return ways && html`<div class="turn"><p class="soft">${writtenFor(visit).say('event')}</p>${ways}</div>`;
}
