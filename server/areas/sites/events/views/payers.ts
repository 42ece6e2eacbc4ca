/** The ways to pay for a booking, each with its consequence. */
import { dateIn } from '../../../../kernel/base/languages/times.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Offer } from '../instead.ts';
import type { Payer } from '../event-view.ts';
import type { Written } from '../messages.ts';

/** `Five visits (5 left)`, or the name of a membership without a limit. */
export const payerName = ({ say }: Written, { name, left }: Payer): string =>
  left === null ? name : say('pays.left', { name, n: left });

/** Returns what is left after the booking, and until when. */
export function afterPaying({ say, reader }: Written, { left, ends }: Payer): string {
  const after = left === null ? say('pays.included') : say('pays.after', { n: left - 1 });
  return ends === null ? after : `${after}, ${say('pays.until', { day: dateIn(reader.locale, ends) })}`;
}

/** Returns what a purchase pays for, and how it goes on. */
export function afterBuying({ say }: Written, { every, committed, visits }: Offer): string {
  if (every !== null) return committed === null ? say('pays.recurring') : say('pays.committed', { n: committed });
  return visits === null ? say('pays.later') : say('pays.pack', { n: visits - 1 });
}

/** A choice: its consequence, and the form that takes it. */
export interface Choice {
  readonly text: string;
  readonly form: Html;
}

export const choicesList = (choices: readonly Choice[]): Html | null =>
  choices.length === 0
    ? null
    : html`<ul class="payers">${choices.map(
        ({ text, form }) => html`<li><p class="soft">${text}</p>${form}</li>`,
      )}</ul>`;
