import { catalogue } from '../words/catalogue.ts';

export const ui = catalogue('ui');
