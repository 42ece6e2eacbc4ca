/** First and last name from one column: "Ada King", or "King, Ada". */
import type { Template } from '../../../../kernel/base/csv/template.ts';

function split(text: string): { readonly first_name: string | null; readonly last_name: string | null } {
  const [last, first] = text.split(/,\s*/, 2);
  if (first) return { first_name: first, last_name: last || null };
  const words = text.trim().split(/\s+/);
  return words.length === 1
    ? { first_name: words[0] || null, last_name: null }
    : { first_name: words[0], last_name: words.slice(1).join(' ') };
}

/** Returns one of the two names from the combined column. */
export const partOfName = (whole: Template, part: 'first_name' | 'last_name'): Template => ({
  ...whole,
  fill: (cells) => split(whole.fill(cells) ?? '')[part],
});
