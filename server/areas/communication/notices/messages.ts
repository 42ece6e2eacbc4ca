/** Phrases that are inserted into notices, in every language. */
import { PAID_TEXTS, type PaidKey } from '../../commerce/checkouts/index.ts';
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Key = TextKey<'messages', 'notices'>;

export const FILLED_IN = Catalog.read('messages', 'notices');

/** Returns phrases in the language of the notice's reader. */
export const saying = ({ tenant }: Pick<Work, 'tenant'>, reader: Reader): Say<Key> =>
  FILLED_IN.for(reader, tenant.words);

/** Returns sentences about what a cancellation returned or lost, in the language of the notice's reader. */
export const paidSay = ({ tenant }: Pick<Work, 'tenant'>, reader: Reader): Say<PaidKey> =>
  PAID_TEXTS.for(reader, tenant.words);
