/** Texts of the pages of free times, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey, type Written } from '../frame/index.ts';

export type TimesKey = TextKey<'pages', 'accounts/slots'> | FrameKey;

export const TIMES = FRAME.and(Catalog.read('pages', 'accounts/slots'));

export type TimesWritten = Written<TimesKey>;
