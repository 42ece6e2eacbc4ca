/**
 * The facts beside the main button of an event: price, free spots and deadline. On a phone, they and the button stay at
 * the bottom of the screen (`.deal` in the style sheet), so that nobody has to look for them.
 */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { hasCutOff } from './cancelling.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import type { EventView } from '../event-view.ts';
import type { Written } from '../messages.ts';

export interface Deal {
  /** price as displayed; null: the button has it, or nothing is to be paid */
  readonly price: string | null;
  /** time from which a cancellation counts as late, in epoch milliseconds */
  readonly lateFrom: number;
}

export function renderDeal(written: Written, view: EventView, now: number, deal: Deal): Html {
  const { say } = written;
  const { left, movable } = view;
  const spots =
    left === null || movable !== null ? null : left > 0 ? say('deal.spots', { n: left }) : say('spots.full');
  return html`<span class="deal">${[deal.price, spots, deadline(written, view, now, deal)]
    .filter(Boolean)
    .join(' · ')}</span>`;
}

function deadline({ say, reader }: Written, view: EventView, now: number, { lateFrom }: Deal): string {
  if (!hasCutOff({ lateFrom }, view)) return say('deal.free');
  return now < lateFrom
    ? say('deal.free_until', { until: momentIn(reader.locale, lateFrom, view.zone) })
    : say('deal.late');
}
