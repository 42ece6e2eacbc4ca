/** Sentences that are filled into notices, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Key = keyof typeof en;

export const FILLED_IN = Catalog.read<Key>(new URL('./messages/', import.meta.url));

/** In the language of the person who reads the notice. */
export const saying = ({ tenant }: Pick<Work, 'tenant'>, reader: Reader): Say<Key> =>
  FILLED_IN.for(reader, tenant.words);
