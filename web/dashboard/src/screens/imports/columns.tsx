import { Failed } from '../../ui/states.tsx';
import { said, words } from './words.ts';
import { useChange } from './change.ts';
import type { Import } from './import.ts';

/** Shows the meaning of each column, with some of its values. */
export function Columns({ of }: { readonly of: Import }) {
  const { change, busy, error } = useChange(of);
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">{words.say('columns')}</h2>
      <p className="soft">{words.say('columns.hint')}</p>
      {error ? <Failed error={error} /> : null}
      <ul className="rows columns-of">
        {of.columns.map(({ heading, property, samples }, i) => (
          <li key={`${i} ${heading}`}>
            <label htmlFor={`column-${i}`} className="what">
              <strong>{heading || words.say('column.nameless', { n: i + 1 })}</strong>
              <br />
              <span className="soft small">{samples.join(' · ') || words.say('column.empty')}</span>
            </label>
            <select
              id={`column-${i}`}
              className="end"
              value={property ?? ''}
              disabled={busy || heading === ''}
              onChange={({ target }) => change({ columns: [{ heading, property: (target.value || null) as never }] })}
            >
              <option value="">{words.say('column.none')}</option>
              {of.properties.map((one) => (
                <option key={one} value={one}>
                  {said('property', one)}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </section>
  );
}
