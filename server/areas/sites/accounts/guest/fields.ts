/** What somebody without an account says of themselves: who they are, and where the confirmation goes. */
import { email, hidden, type Values } from '../../../../kernel/pages/form.ts';
import { guestSay } from './messages.ts';
import { nameFields } from '../views/fields.ts';
import { writtenFor } from '../catalog.ts';
import type { At } from '../desk.ts';

/** `form` is of the page that was shown: sent again, it is the same purchase. Consent to news needs a confirmed address. */
export const guestFields = (visit: At) => {
  const { say } = writtenFor(visit);
  return {
    ...nameFields(say),
    email: email(say('field.email'), { hint: guestSay(visit)('guest.email_hint') }),
    form: hidden(40),
  };
};

export type Guest = Omit<Values<ReturnType<typeof guestFields>>, 'form'>;
