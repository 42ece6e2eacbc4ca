/** Texts with different words for staff and customers: each side learns what it can do. Pure. */
import { INTERFACE_WORDS, Said, textIn, type EventKind, type Text, type Words } from './words.ts';

export type Side = 'staff' | 'customer';

/**
 * Texts for both sides. Customers read the words of their business. Staff read those of the interface, which are the
 * same everywhere.
 */
export interface Wordings {
  readonly staff: string;
  readonly customer: Text;
}

/** One text if both sides can act on it. */
export type Wording = Text | Wordings;

export const isOneText = (wording: Wording): wording is Text => typeof wording === 'string' || wording instanceof Said;

/** Returns the text for a side; `words` are those of the customer's business. */
export const wordingFor = (side: Side, wording: Wording, words: Words): string => {
  if (side === 'staff') return isOneText(wording) ? textIn(INTERFACE_WORDS, wording) : wording.staff;
  return textIn(words, isOneText(wording) ? wording : wording.customer);
};

const aboutText = (kind: EventKind, text: Text): Text => (typeof text === 'string' ? text : text.about(kind));

/** Returns a text about an event of this kind, so that customers read its own word. */
export const aboutEvent = (kind: EventKind, wording: Wording): Wording =>
  isOneText(wording) ? aboutText(kind, wording) : { staff: wording.staff, customer: aboutText(kind, wording.customer) };

/** Returns the side of a mode. Machines act for staff; visitors are potential customers. */
export const sideFor = (mode: 'provider' | 'customer' | 'unregistered' | 'operator'): Side =>
  mode === 'provider' || mode === 'operator' ? 'staff' : 'customer';
