/** Texts of the frame of customers' pages, in every language. `en.json` is the source. */
import type en from './messages/frame/en.json';
import { Catalog } from '../../../kernel/base/languages/catalog.ts';

export type FrameKey = keyof typeof en;

export const FRAME = Catalog.read<FrameKey>(new URL('./messages/frame/', import.meta.url));
