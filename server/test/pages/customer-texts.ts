/**
 * The texts in the source that customers read: refusals for customers, texts of pages, and everything written with
 * `say`. None of them has a word that a business chooses itself.
 */
import { parseLiterals, type Literal } from '../checks/literals.ts';
import { VOCABULARY } from '../../kernel/base/values/words.ts';

export interface CustomerText {
  readonly line: number;
  readonly text: string;
}

const ALL = Object.values(VOCABULARY).flat();
// Not part of a path, a name in the interface, a file or an attribute.
const BARE = new RegExp(`(?<![\\w/.?&=#{-])(?:${ALL.join('|')})(?![\\w/=}-])(?!\\.\\w)`, 'i');

/** Returns the first word of a text that a business may replace; null if there is none. */
export const bareWord = (text: string): string | null => BARE.exec(text)?.[0] ?? null;

const every = (literals: readonly Literal[]): Literal[] =>
  literals.flatMap((one) => [one, ...one.holes.flatMap(({ literals: inner }) => every(inner))]);

/** `word`: the name of `one` in files that have another `one`. */
const WORD_HOLE = /^(one|many|a|One|Many|A|word)\.(\w+)$/;

/** Returns the key of a text for translations: `This {one_event} is full.`, and `{0}` for a value. */
export function sourceOf({ texts, holes }: Literal): string {
  let values = 0;
  return texts
    .flatMap((text, i) => {
      if (i === 0) return [text];
      const [, form, word] = WORD_HOLE.exec(holes[i - 1].code.trim()) ?? [];
      return [form ? `{${form === 'word' ? 'one' : form}_${word}}` : `{${values++}}`, text];
    })
    .join('');
}

/** Returns the sources of all texts in refusals and explanations of a file that customers read. */
export function translatables(source: string): string[] {
  const lines = source.split('\n');
  const literals = parseLiterals(source);
  const found = every(literals)
    .filter((one) => one.before === 'say' || (literals.includes(one) && followsCustomer(lines, one.line, one.texts[0])))
    .map(sourceOf);
  return [...new Set(found.filter((text) => /[A-Za-z]{2}/.test(text.replaceAll(/\{\w+\}/g, ''))))];
}

const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/<[^<>]*$|^[^<>]*>/g, ' ');

/** Matches sentences, labels and buttons: text for people begins with a capital letter or has several words. */
const isProse = (text: string): boolean => /^\s*[A-Z][a-z]|[A-Za-z'’]+ [a-z]/.test(text) && !/^[A-Z]+ \//.test(text);

const SILENT = /^(?:sql|raw|Error\(|\w*[aA]cross(?:Tenants)?\()/;

/**
 * Returns the texts in a source that customers read. `pages`: every text in the source is on a page, unless it is SQL.
 */
export function customerTexts(source: string, { pages }: { pages: boolean }): CustomerText[] {
  const lines = source.split('\n');
  const literals = parseLiterals(source);
  const found: CustomerText[] = [];
  for (const one of every(literals)) {
    const isSaid = one.before === 'say';
    const isHtml = one.before === 'html';
    const isForCustomers = literals.includes(one) && followsCustomer(lines, one.line, one.texts[0]);
    const onPage = pages && !SILENT.test(one.before) && isProse(one.texts.join(' '));
    if (!isSaid && !isHtml && !isForCustomers && !onPage) continue;
    const joined = one.texts.join('${}');
    found.push({ line: one.line, text: isHtml ? withoutTags(joined.replaceAll('${}', 'x')) : joined });
  }
  return found;
}

/** Returns true if the literal is the value of a property `customer`, on the same line or after it. */
function followsCustomer(lines: readonly string[], line: number, begin: string): boolean {
  const before = [lines[line - 2]?.trim() ?? '', lines[line - 1] ?? ''].join(' ');
  const at = before.lastIndexOf(begin.slice(0, 30));
  return /\b(?:customer|passed)(?::| =)\s*(?:say)?['"`]$/.test(before.slice(0, Math.max(0, at)));
}
