/** The fields of the forms of an event, declared once. */
import { check, hidden } from '../../../../kernel/pages/form.ts';
import type { Written } from './messages.ts';

/** For whom, and whether the page said that cancelling is in time. */
export const hiddenFields = { customer: hidden(20), in_time: hidden(3) };
export const eventFields = ({ say }: Pick<Written, 'say'>) => ({
  ...hiddenFields,
  late_too: check(say('late_too'), { hint: say('late_too.hint') }),
});
/** Of the form that books with what somebody chooses: the id of a membership, or `SINGLE`. */
export const payFields = { customer: hidden(20), pays: hidden(20) };
export const SINGLE = 'single';
/** Of the form that begins to buy a membership for an event. */
export const buyFields = { customer: hidden(20), membership: hidden(20), plan: hidden(20) };
