import { text } from '../../../kernel/base/fields/kinds.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { slugOf } from './rules/slug.ts';

export const slug = () =>
  text({
    max: 64,
    pattern: /^[a-z0-9]+(_[a-z0-9]+)*$/,
    hint: 'Lowercase letters, digits and single underscores, for example trial_member.',
  });

export const color = () => text({ max: 7, pattern: /^#[0-9a-f]{6}$/i, hint: 'Must be a colour, for example #3366cc.' });

/** Returns the slug that was sent, or the one derived from the name. */
export function slugFor(sent: string | undefined, name: string): string {
  const made = sent ?? slugOf(name);
  if (made === null)
    throw invalid(
      'slug',
      'No slug can be made from the name. Send one with lowercase letters, digits and underscores.',
    );
  if (made === 'null') throw invalid('slug', 'In filters, `null` means none. Send another slug.');
  return made;
}
