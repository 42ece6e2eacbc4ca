/** Texts of the frame of customers' pages, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

/** Texts about the memberships that can pay for a booking. */
export const PAYER_TEXTS = Catalog.read('pages', 'accounts/payers');
export type PayerKey = TextKey<'pages', 'accounts/payers'>;

export type FrameKey = TextKey<'pages', 'accounts/frame'>;

export const FRAME = Catalog.read('pages', 'accounts/frame');
