/** What is said in other words to staff than to customers: each is told what that side can do about it. Pure. */
import { INTERFACE_WORDS, Said, textIn, type EventKind, type Text, type Words } from './words.ts';

export type Side = 'staff' | 'customer';

/** Customers read the words of their business. Staff read those of the interface, which are the same everywhere. */
export interface Wordings {
  readonly staff: string;
  readonly customer: Text;
}

/** One text where both sides can act on it. */
export type Wording = Text | Wordings;

export const isOneText = (wording: Wording): wording is Text => typeof wording === 'string' || wording instanceof Said;

/** `words`: those of the business whose customer reads it. */
export const wordingFor = (side: Side, wording: Wording, words: Words): string => {
  if (side === 'staff') return isOneText(wording) ? textIn(INTERFACE_WORDS, wording) : wording.staff;
  return textIn(words, isOneText(wording) ? wording : wording.customer);
};

const aboutText = (kind: EventKind, text: Text): Text => (typeof text === 'string' ? text : text.about(kind));

/** What is said of an event of this kind: to customers it is called so. */
export const aboutEvent = (kind: EventKind, wording: Wording): Wording =>
  isOneText(wording) ? aboutText(kind, wording) : { staff: wording.staff, customer: aboutText(kind, wording.customer) };

/** Machines act for staff; visitors are customers to be. */
export const sideOf = (mode: 'provider' | 'customer' | 'unregistered' | 'operator'): Side =>
  mode === 'provider' || mode === 'operator' ? 'staff' : 'customer';
