/** Texts of an event's page, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey, writtenWith, type Written as WrittenWith, type At } from '../frame/index.ts';

export type Key = keyof typeof en | FrameKey;

export const CATALOG = FRAME.and(Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url)));

export type Written = WrittenWith<Key>;

export const writtenFor = (visit: At): Written => writtenWith(visit, CATALOG);
