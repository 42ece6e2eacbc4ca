/** Texts of the frame of customers' pages, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export type FrameKey = TextKey<'pages', 'accounts/frame'>;

export const FRAME = Catalog.read('pages', 'accounts/frame');
