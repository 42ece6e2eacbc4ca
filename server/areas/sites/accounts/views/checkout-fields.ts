/** The fields of the forms of a checkout. */
import { hidden, text } from '../../../../kernel/pages/form.ts';

export const ticketOnly = { ticket: hidden() };
export const codeFields = { code: text('Discount code', { max: 100 }), ...ticketOnly };
export const creditFields = { ...ticketOnly, use: hidden(3) };
/** What the page said: the amount and the terms. */
export const payFields = { ...ticketOnly, due: hidden(20), terms: hidden(2000), way: hidden(20), outcome: hidden(20) };
