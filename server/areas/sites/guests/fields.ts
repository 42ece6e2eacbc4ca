/** Fields for people without an account: their name, and the address for the confirmation. */
import { email, hidden, type Values } from '../../../kernel/pages/form.ts';
import { guestSay } from './messages.ts';
import { nameFields, writtenFor, type At } from '../frame/index.ts';

/**
 * Returns the fields. `form` identifies the displayed page: sending it again is the same purchase. There is no
 * marketing consent, which needs a confirmed address.
 */
export const guestFields = (visit: At) => {
  const { say } = writtenFor(visit);
  return {
    ...nameFields(say),
    email: email(say('field.email'), { hint: guestSay(visit)('guest.email_hint') }),
    form: hidden(40),
  };
};

export type Guest = Omit<Values<ReturnType<typeof guestFields>>, 'form'>;
