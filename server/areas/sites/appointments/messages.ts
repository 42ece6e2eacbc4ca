/** Texts of the pages of free times, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, PAYER_TEXTS, type FrameKey, type PayerKey, type Written } from '../frame/index.ts';

export type TimesKey = TextKey<'pages', 'accounts/slots'> | PayerKey | FrameKey;

export const TIMES = FRAME.and(Catalog.read('pages', 'accounts/slots')).and(PAYER_TEXTS);

export type TimesWritten = Written<TimesKey>;
