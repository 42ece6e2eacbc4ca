import { catalogue } from '../../words/catalogue.ts';

export const words = catalogue('screens/imports');

type Key = Parameters<typeof words.say>[0];

/** Returns the text for a name of the interface, which may be newer than these texts. */
export function said(part: 'property' | 'delimiter' | 'meaning', name: string): string {
  const key = `${part}.${name}`;
  return words.has(key) ? words.say(key as Key) : name;
}
