/** Texts of an event's page, in every language. */
import type { TextKey } from '../../../kernel/base/languages/texts.ts';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { PAID_TEXTS, type PaidKey } from '../../commerce/checkouts/index.ts';
import {
  FRAME,
  PAYER_TEXTS,
  type FrameKey,
  type PayerKey,
  writtenWith,
  type Written as WrittenWith,
  type At,
} from '../frame/index.ts';

export type Key = TextKey<'pages', 'accounts/event'> | PaidKey | PayerKey | FrameKey;

export const CATALOG = FRAME.and(Catalog.read('pages', 'accounts/event')).and(PAID_TEXTS).and(PAYER_TEXTS);

export type Written = WrittenWith<Key>;

export const writtenFor = (visit: At): Written => writtenWith(visit, CATALOG);
