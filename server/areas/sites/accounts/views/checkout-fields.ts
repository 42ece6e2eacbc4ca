/** The fields of the forms of a checkout. */
import { hidden, text } from '../../../../kernel/pages/form.ts';
import type { PayingSay } from '../checkout/messages.ts';
import type { Way } from '../checkout/view.ts';

export const ticketOnly = { ticket: hidden() };
export const codeFields = (say: PayingSay) => ({ code: text(say('code.label'), { max: 100 }), ...ticketOnly });
export const creditFields = { ...ticketOnly, use: hidden(3) };
/** What the page said: the amount and the terms. `way`: see `wayKey`, or the desk. */
export const payFields = { ...ticketOnly, due: hidden(20), terms: hidden(2000), way: hidden(40), outcome: hidden(20) };

/** A way to pay in a form: the id of the payment processor, and of the saved method. */
export const wayKey = ({ id, method }: Pick<Way, 'id' | 'method'>): string =>
  method === null ? String(id) : `${id}.${method}`;
