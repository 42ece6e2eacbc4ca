/** The properties of an object in words, for its history. The audit names them as they are stored. */
import { words } from './words.ts';

export interface Labels {
  /** returns the name of a property; undefined if it has none */
  readonly name: (property: string) => string | undefined;
  /** returns the text of a choice; undefined if the value is no choice */
  readonly choice?: (property: string, value: string) => string | undefined;
}

/** Endings of the stored names of amounts and references, which the name of the property doesn't have. */
const ENDINGS = { amount: '_minor', reference: /_ids?$/ } as const;

export interface Property {
  readonly name: string;
  /** a reference is stored as a number, which tells people nothing; another value is shown as it is */
  readonly kind: 'amount' | 'reference' | 'value';
}

const own = (stored: string): string | undefined => {
  const key = `property.${stored}`;
  return words.has(key) ? words.say(key as Parameters<typeof words.say>[0]) : undefined;
};

/** Returns a stored property in words; null for one that is not for people. */
export function propertyIn(stored: string, labels: Labels | undefined): Property | null {
  const said = (name: string): string | undefined => labels?.name(name) ?? own(name);
  const isAmount = stored.endsWith(ENDINGS.amount);
  const plain = isAmount ? stored.slice(0, -ENDINGS.amount.length) : stored.replace(ENDINGS.reference, '');
  const name = said(stored) ?? said(plain);
  if (name === undefined) return null;
  return { name, kind: isAmount ? 'amount' : plain === stored ? 'value' : 'reference' };
}
