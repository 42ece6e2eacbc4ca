/** Texts of an event's page, in every language. `en.json` is the source. */
import type en from './messages/en.json';
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';
import { FRAME, type FrameKey } from '../frame/messages.ts';
import { writtenWith, type Written as WrittenWith } from '../frame/written.ts';
import type { At } from '../desk.ts';

export type Key = keyof typeof en | FrameKey;

export const CATALOG = FRAME.and(Catalog.read<keyof typeof en>(new URL('./messages/', import.meta.url)));

export type Written = WrittenWith<Key>;

export const writtenFor = (visit: At): Written => writtenWith(visit, CATALOG);
