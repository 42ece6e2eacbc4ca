import { catalogue } from '../words/catalogue.ts';

export const words = catalogue('moves');

// Modules that use these texts wait for them.
await words.ready;
