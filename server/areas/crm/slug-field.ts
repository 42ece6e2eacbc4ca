import { text } from '../../kernel/api/kinds.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { slugOf } from './rules/slug.ts';

export const slug = () => text({ max: 64, pattern: /^[a-z0-9]+(_[a-z0-9]+)*$/, hint: 'Small letters, digits and single underscores, as trial_member.' });

export const color = () => text({ max: 7, pattern: /^#[0-9a-f]{6}$/i, hint: 'A colour is required, as #3366cc.' });

/** The slug that was sent, or the one that the name gives. */
export function slugFor(sent: string | undefined, name: string): string {
  const made = sent ?? slugOf(name);
  if (made === null) throw invalid('slug', 'The name gives none: send one of small letters, digits and underscores.');
  if (made === 'null') throw invalid('slug', 'The word `null` stands for none in filters. Send another slug.');
  return made;
}
