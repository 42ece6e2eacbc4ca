import en from './messages/en.json';
import { catalogue } from '../words/catalogue.ts';

export const words = catalogue(
  en,
  import.meta.glob(['./messages/*.json', '!./messages/en.json'], { import: 'default' }),
);

// Modules that use these texts wait for them.
await words.ready;
