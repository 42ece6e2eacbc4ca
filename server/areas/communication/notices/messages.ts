/** Phrases that are inserted into notices, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Key = keyof typeof en;

export const FILLED_IN = Catalog.read<Key>(new URL('./messages/', import.meta.url));

/** Returns phrases in the language of the notice's reader. */
export const saying = ({ tenant }: Pick<Work, 'tenant'>, reader: Reader): Say<Key> =>
  FILLED_IN.for(reader, tenant.words);
