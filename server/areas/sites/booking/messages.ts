/** Texts of the booking site, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey } from '../frame/index.ts';

export type Key = keyof typeof en | FrameKey;

export const CATALOG = FRAME.and(Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url)));
