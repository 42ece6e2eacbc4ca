import { hasFates, type Import } from './import.ts';
import { numberOf } from '../../words/times.ts';
import { words } from './words.ts';

/** The numbers of rows with each result, without those of none. */
export function Fates({ of }: { readonly of: Import }) {
  if (!hasFates(of)) return null;
  const counts = [
    ['created', of.created_count],
    ['changed', of.changed_count],
    ['unchanged', of.unchanged_count],
    ['rejected', of.rejected_count],
  ] as const;
  return (
    <span className="soft small">
      {counts.flatMap(([fate, n]) => (n > 0 ? [`· ${words.say(`fate.${fate}`)} ${numberOf(n)}`] : [])).join(' ')}
    </span>
  );
}
