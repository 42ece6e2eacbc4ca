/**
 * Which texts customers read, as the source has them: refusals in their wording, texts of pages, and everything that is
 * written with `say`. In none of them stands a word that a business names itself.
 */
import { literalsOf, type Literal } from './literals.ts';
import { VOCABULARY } from '../kernel/base/values/words.ts';

export interface CustomerText {
  readonly line: number;
  readonly text: string;
}

const ALL = Object.values(VOCABULARY).flat();
// Not a part of a path, a name in the interface, a file or an attribute.
const BARE = new RegExp(`(?<![\\w/.?&=#{-])(?:${ALL.join('|')})(?![\\w/=}-])(?!\\.\\w)`, 'i');

/** The first word of a text that a business may call otherwise; null: there is none. */
export const bareWord = (text: string): string | null => BARE.exec(text)?.[0] ?? null;

const every = (literals: readonly Literal[]): Literal[] =>
  literals.flatMap((one) => [one, ...one.holes.flatMap(({ literals: inner }) => every(inner))]);

/** `word`: what `one` is called in files that have another `one`. */
const WORD_HOLE = /^(one|many|a|One|Many|A|word)\.(\w+)$/;

/** What a text is known by to its translations: `This {one_event} is full.`, and `{0}` for a value. */
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

/** The sources of everything that customers read of refusals and explanations in a file. */
export function translatables(source: string): string[] {
  const lines = source.split('\n');
  const literals = literalsOf(source);
  const found = every(literals)
    .filter((one) => one.before === 'say' || (literals.includes(one) && followsCustomer(lines, one.line, one.texts[0])))
    .map(sourceOf);
  return [...new Set(found.filter((text) => /[A-Za-z]{2}/.test(text.replaceAll(/\{\w+\}/g, ''))))];
}

const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/<[^<>]*$|^[^<>]*>/g, ' ');

/** Whole sentences, labels and buttons: what a person reads begins with a capital or has several words. */
const isProse = (text: string): boolean => /^\s*[A-Z][a-z]|[A-Za-z'’]+ [a-z]/.test(text) && !/^[A-Z]+ \//.test(text);

const SILENT = /^(?:sql|raw|Error\(|\w*[aA]cross(?:Tenants)?\()/;

/** `pages`: every text of the source is on a page, unless it is SQL. */
export function customerTexts(source: string, { pages }: { pages: boolean }): CustomerText[] {
  const lines = source.split('\n');
  const literals = literalsOf(source);
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

/** The literal is the value of a property `customer`, on its line or after it. */
function followsCustomer(lines: readonly string[], line: number, begin: string): boolean {
  const before = [lines[line - 2]?.trim() ?? '', lines[line - 1] ?? ''].join(' ');
  const at = before.lastIndexOf(begin.slice(0, 30));
  return /\b(?:customer|passed)(?::| =)\s*(?:say)?['"`]$/.test(before.slice(0, Math.max(0, at)));
}
