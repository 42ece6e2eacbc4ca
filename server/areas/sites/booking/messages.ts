/** Texts of the booking site, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey } from '../frame/index.ts';

export type Key = TextKey<'pages', 'booking'> | FrameKey;

export const CATALOG = FRAME.and(Catalog.read('pages', 'booking'));
