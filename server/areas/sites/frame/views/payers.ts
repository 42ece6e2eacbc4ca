/** The ways to pay for a booking, each with its consequence. */
import { dateIn } from '../../../../kernel/base/languages/times.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Payer } from '../payers.ts';
import type { PayerKey } from '../messages.ts';
import type { Written } from '../written.ts';

type With = Pick<Written<PayerKey>, 'say' | 'reader'>;

/** `Five visits (5 left)`, or the name of a membership without a limit. */
export const payerName = ({ say }: Pick<With, 'say'>, { name, left }: Payer): string =>
  left === null ? name : say('pays.left', { name, n: left });

/** Returns what is left after the booking, and until when. */
export function afterPaying({ say, reader }: With, { left, takes, ends }: Payer): string {
  const rest = Math.max(0, (left ?? 0) - takes);
  const after =
    left === null
      ? say('pays.included')
      : takes === 1
        ? say('pays.after', { n: rest })
        : say('pays.takes', { n: takes, left: rest });
  return ends === null ? after : `${after}, ${say('pays.until', { day: dateIn(reader.locale, ends) })}`;
}

/** Returns the label of the button that books with the membership. `name` null: for the reader. */
export const bookWith = (written: Pick<With, 'say'>, payer: Payer, name: string | null): string => {
  const membership = payerName(written, payer);
  return name === null ? written.say('pays.book', { membership }) : written.say('pays.book_for', { membership, name });
};

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
