/** The style sheet of every page: files by subject, concatenated once. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The order matters: of two rules with the same specificity, the later one wins. */
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
/** Changes with the style sheet, so that a browser never uses the cached one of an older release. */
export const STYLE_HREF = `/account/style.css?v=${hash('sha1', STYLE, 'hex').slice(0, 8)}`;
