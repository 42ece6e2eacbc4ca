/** Texts of a checkout's pages, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog, type Say } from '../../../kernel/base/languages/catalog.ts';
import { FORM_MESSAGES, type FormKey } from '../../../kernel/pages/messages.ts';
import { FRAME, type FrameKey, writtenWith, type Written, type At } from '../frame/index.ts';

type Key = TextKey<'pages', 'accounts/checkout'> | FormKey | FrameKey;

export const PAYING = FRAME.and(FORM_MESSAGES).and(Catalog.read('pages', 'accounts/checkout'));

export type PayingSay = Say<Key>;

/** The texts and the reader of a checkout's page. */
export interface PayingWritten extends Written<Key> {
  /** somebody is logged in */
  readonly personal: boolean;
}

export const payingFor = (visit: At, personal: boolean): PayingWritten => ({ ...writtenWith(visit, PAYING), personal });
