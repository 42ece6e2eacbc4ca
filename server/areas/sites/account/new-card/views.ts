/** Buttons that save a card without a payment, and the message about the card afterwards. */
import { buttonForm, type AccountWritten as Written, type Business } from '../../frame/index.ts';
import { hidden } from '../../../../kernel/pages/form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

/** A way to pay with which a card can be saved. */
export interface SavingWay {
  readonly id: number;
  readonly name: string;
  /** no money moves */
  readonly test: boolean;
}

export interface NewCard {
  readonly status: 'started' | 'action_required' | 'pending' | 'failed' | 'succeeded';
  /** sentence for the customer */
  readonly failure: string | null;
}

const way = { way: hidden(20) };

/** Renders a button for each way, with what the person agrees to. `action`: the address of the form. */
export function newCardButtons(
  { site, token }: Visit<Business>,
  { say }: Written,
  { ways, action }: { ways: readonly SavingWay[]; action: string },
): Html | null {
  if (ways.length === 0) return null;
  const one = ({ id, name }: SavingWay) =>
    buttonForm({
      fields: way,
      kept: { way: String(id) },
      action,
      button: ways.length === 1 ? say('card.add') : say('card.add_by', { name }),
      tone: 'quiet',
      token,
    });
  return html`<p class="soft">${say('card.mandate', { name: site.name })}</p>
${ways.map(one)}`;
}

/** Renders the message about the card with which the browser returned. */
export function newCardNotice({ say }: Written, card: NewCard | null): Html | null {
  if (card === null) return null;
  if (card.status === 'succeeded') return html`<div class="done" role="status"><p>${say('card.saved')}</p></div>`;
  if (card.status === 'pending') return html`<div class="done" role="status"><p>${say('card.pending')}</p></div>`;
  return html`<div class="problem" role="alert"><p>${card.failure ?? say('card.not_saved')}</p></div>`;
}
