/** Texts of the pages of free times, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey, type Written } from '../frame/index.ts';

export type TimesKey = keyof typeof en | FrameKey;

export const TIMES = FRAME.and(Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url)));

export type TimesWritten = Written<TimesKey>;
