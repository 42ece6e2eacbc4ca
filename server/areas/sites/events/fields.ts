/** Fields of the forms of an event, declared once. */
import { check, hidden } from '../../../kernel/pages/form.ts';
import type { Written } from './messages.ts';

/** The customer, and whether the page said that the cancellation is in time. */
export const hiddenFields = { customer: hidden(20), in_time: hidden(3) };
/** The customer, what the page said, and whether they confirmed a cancellation that costs something. */
export const cancelFields = { ...hiddenFields, confirmed: hidden(3) };
export const eventFields = ({ say }: Pick<Written, 'say'>) => ({
  ...hiddenFields,
  late_too: check(say('late_too'), { hint: say('late_too.hint') }),
});
/** Fields of the form that books with a chosen payment: the id of a membership, or `SINGLE`. */
export const payFields = { customer: hidden(20), pays: hidden(20) };
/** The customer, and the kind of place that their booking switches to. */
export const switchFields = { customer: hidden(20), to: hidden(6) };
export const SINGLE = 'single';
/** Fields of the form that starts the purchase of a membership for an event. */
export const buyFields = { customer: hidden(20), membership: hidden(20), plan: hidden(20) };
