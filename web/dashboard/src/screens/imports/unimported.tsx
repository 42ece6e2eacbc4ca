/** The columns of a file that nothing is imported from, with the number of their values. */
import { words } from './words.ts';
import type { Import } from './import.ts';

export function Unimported({ of }: { readonly of: Import }) {
  if (of.unimported_columns.length === 0) return null;
  return (
    <section aria-labelledby="unimported">
      <h2 id="unimported">{words.say('unimported')}</h2>
      <p className="soft">{words.say('unimported.hint')}</p>
      <ul className="rows">
        {of.unimported_columns.map(({ heading, value_count: n }, i) => (
          <li key={`${i} ${heading}`}>
            <strong className="what">{heading || words.say('unimported.nameless')}</strong>
            <span className="end">{words.say('values', { n })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
