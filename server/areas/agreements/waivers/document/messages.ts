/** Texts of signed waivers, in every language. */
import { Catalog, type Say } from '../../../../kernel/base/languages/catalog.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { TextKey } from '../../../../kernel/base/languages/texts.ts';

const WAIVER_MESSAGES = Catalog.read('messages', 'waivers/document');

export const waiverSay = (reader: Reader): Say<TextKey<'messages', 'waivers/document'>> =>
  WAIVER_MESSAGES.for(reader, DEFAULT_WORDS);
