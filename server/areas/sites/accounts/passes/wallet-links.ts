/** The links that add a pass to the wallet of a phone. */
import { at } from '../entrance.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { namesOf } from '../views/device.ts';
import { openNow, type Wallets } from '../../../../kernel/base/passes/index.ts';
import { writtenFor } from './messages.ts';
import type { At } from '../desk.ts';

type Wallet = keyof Wallets;

/** `event`: of a booking; null: of the code that they show at the door. */
export interface PassOf {
  readonly customer: number;
  /** null: the person before the page */
  readonly name: string | null;
  readonly event: number | null;
}

export const passPath = ({ customer, event }: Pick<PassOf, 'customer' | 'event'>, wallet: string): string =>
  event === null ? `passes/${customer}/${wallet}` : `passes/events/${event}/${customer}/${wallet}`;

/** Phones have the one or the other; other devices can't tell which phone somebody has. */
function walletsHere(visit: At, wallets: Wallets): Wallet[] {
  const { system } = namesOf(visit.agent);
  const open = openNow(wallets, visit.now);
  return (['apple', 'google'] as const).filter(
    (wallet) => open[wallet] !== null && system !== (wallet === 'apple' ? 'Android' : 'iPhone'),
  );
}

/** Null: no wallet that is set up is on this device. */
export function passWays(visit: At, wallets: Wallets, of: PassOf): Html | null {
  const { say } = writtenFor(visit);
  const here = walletsHere(visit, wallets);
  const way = (wallet: Wallet) => {
    const label = say(`add.${wallet}`);
    const whose = of.name === null ? null : html` aria-label="${label}: ${of.name}"`;
    // Side by side, neither is the lesser one.
    return html`<span><a class="button quiet" href="${at(visit.site, passPath(of, wallet))}"${whose}>${label}</a></span>`;
  };
  return here.length === 0 ? null : html`<p class="actions">${here.map(way)}</p>`;
}

/** The same below a booking, with what people should know about the pass. */
export function bookingWays(visit: At, wallets: Wallets, of: PassOf): Html | null {
  const ways = passWays(visit, wallets, of);
  return ways && html`<div class="turn"><p class="soft">${writtenFor(visit).say('event')}</p>${ways}</div>`;
}
