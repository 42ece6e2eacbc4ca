import { catalogue } from '../words/catalogue.ts';

export const words = catalogue('changes');

// Modules that use these texts wait for them.
await words.ready;

/** Returns a kind of feed item in words, as one change. */
export const changeSaid = (kind: string, otherwise = kind): string =>
  words.has(kind) ? words.say(kind as Parameters<typeof words.say>[0], { n: 1 }) : otherwise;
