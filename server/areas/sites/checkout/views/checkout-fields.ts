/** Fields of the forms of a checkout. */
import { hidden, text } from '../../../../kernel/pages/form.ts';
import type { PayingSay } from '../messages.ts';
import type { Way } from '../view.ts';

export const ticketOnly = { ticket: hidden() };
export const codeFields = (say: PayingSay) => ({ code: text(say('code.label'), { max: 100 }), ...ticketOnly });
export const creditFields = { ...ticketOnly, use: hidden(3) };
/** The amount and terms that the page showed. `way`: see `wayKey`, or the desk. */
export const payFields = { ...ticketOnly, due: hidden(20), terms: hidden(2000), way: hidden(40), outcome: hidden(20) };

/** Returns the form value of a payment option: the ids of the payment processor and of the saved method. */
export const wayKey = ({ id, method }: Pick<Way, 'id' | 'method'>): string =>
  method === null ? String(id) : `${id}.${method}`;
