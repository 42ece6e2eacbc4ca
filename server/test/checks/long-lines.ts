/**
 * Lines of more than 120 columns. Texts stay on one line, so that they are found by searching: a line may be longer if
 * it is within the limit without its strings, texts and regular expressions. SQL and HTML are broken.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTest } from './import-rules.ts';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const MAX_COLUMNS = 120;

/** Files with longer lines, each with its reason. */
const MAY_BE_LONG = new Map([
  ['sdk/src/interface.ts', 'it is printed'],
  ['server/demo/drawings.ts', 'each line draws one part of a picture'],
  ['server/kernel/base/db/rows.ts', 'it is printed'],
  ['server/kernel/base/mail/layout.ts', 'mail has its styles in attributes, which are one text each'],
]);

const SQL = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|CALL|DO|TRUNCATE|GRANT|VALUES)\b/;
const MARKUP = /^\s*</;
/** A tag with its attributes, which stays on one line, as tests and people search for it. */
const TAG = /<[a-z][^<>\n`]*/g;
/** A text shorter than this can share its line with code only within the limit. */
const MIN_TEXT = 40;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the positions of texts in a source. */
function textsIn(file: string, source: string): readonly (readonly [number, number])[] {
  const isText = (literal: string): boolean =>
    /^['"`]/.test(literal) && !SQL.test(literal.slice(1)) && (isTest(file) || !MARKUP.test(literal.slice(1)));
  const found: [number, number][] = [];
  const visit = (node: unknown, tag?: string): void => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((each) => visit(each));
    const { type, start, end, ...rest } = node as Node & Record<string, any>;
    const text = source.slice(start, end);
    if (type === 'JSXText' || (type === 'Literal' && (rest.regex || isText(text)))) found.push([start, end]);
    else if (type === 'TemplateLiteral' && (tag === undefined || tag === 'say') && isText(text))
      found.push([start, end]);
    else if (type === 'TaggedTemplateExpression') visit(rest.quasi, rest.tag.name ?? '');
    else if (type === 'TemplateLiteral' && tag === 'html')
      for (const { index, 0: element } of text.matchAll(TAG))
        found.push([start + index, start + index + element.length]);
    else {
      if (tag === 'html')
        for (const { index, 0: element } of text.matchAll(TAG))
          found.push([start + index, start + index + element.length]);
      Object.values(rest).forEach((each) => visit(each));
    }
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);
  return found;
}

/** Returns the numbers of lines that are too long. */
export function longLines(file: string, source: string): number[] {
  // The formatter keeps a space between two JSX elements at the end of the line of the first.
  const lines = source.split('\n').map((line) => line.replace(/\{' '\}$/, ''));
  if (!lines.some(isLong)) return [];
  const texts = /\.(?:tsx?|mjs)$/.test(file) ? textsIn(file, source) : [];
  let start = 0;
  return lines.flatMap((line, i) => {
    const [from, to] = [start, start + line.length];
    start = to + 1;
    if (!isLong(line)) return [];
    const saved = texts
      .map(([begin, end]) => Math.min(end, to) - Math.max(begin, from))
      .filter((length) => length >= MIN_TEXT);
    return columns(line) - saved.reduce((sum, length) => sum + length, 0) > MAX_COLUMNS ? [i + 1] : [];
  });
}

const columns = (line: string): number => [...line].length;
const isLong = (line: string): boolean => line.length > MAX_COLUMNS && columns(line) > MAX_COLUMNS;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = globSync('{bench,bin,db,deploy,sdk,server,web}/**/*.{ts,tsx,mjs,sql,css}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'sdk/dist/**', 'web/dist/**'],
  }).map((file) => file.replaceAll('\\', '/'));
  const long = files
    .filter((file) => !MAY_BE_LONG.has(file))
    .flatMap((file) => longLines(file, readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`));
  for (const at of long) console.error(`${at} has more than ${MAX_COLUMNS} columns`);
  if (long.length > 0) process.exitCode = 1;
  else console.log(`${files.length} files have lines of at most ${MAX_COLUMNS} columns.`);
}
