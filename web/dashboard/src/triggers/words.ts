import { catalogue } from '../words/catalogue.ts';

export const words = catalogue('triggers');

// Modules that use these texts wait for them.
await words.ready;
