/** The style sheet of every page: files by subject, put together once. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** In this order: of two rules that weigh the same, the later one counts. */
const SHEETS = [
  'tokens',
  'base',
  'frame',
  'cards',
  'forms',
  'buttons',
  'notices',
  'lists',
  'checkout',
  'site',
  'pictures',
  'timetable',
  'modes',
] as const;

export const STYLE = SHEETS.map((name) => readFileSync(new URL(`./style/${name}.css`, import.meta.url), 'utf8')).join(
  '',
);
/** Changes with the style sheet: what browsers keep is never the one of yesterday's release. */
export const STYLE_HREF = `/account/style.css?v=${hash('sha1', STYLE, 'hex').slice(0, 8)}`;
