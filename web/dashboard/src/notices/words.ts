/** The occasions of notices in the language of the user. The interface describes them in English. */
import { catalogue } from '../words/catalogue.ts';

export const words = catalogue('notices');

/** Returns the occasion of a kind of notice, or else its description by the interface. */
export const occasionIn = (type: string, description: string): string =>
  words.has(type) ? words.say(type as Parameters<typeof words.say>[0]) : description;
