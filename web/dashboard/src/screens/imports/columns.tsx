import { Failed } from '../../ui/states.tsx';
import { said, words } from './words.ts';
import { useCall } from '../../app/calls.ts';
import { useChange } from './change.ts';
import type { Import } from './import.ts';

/** Shows the meaning of each column, with some of its values. */
export function Columns({ of }: { readonly of: Import }) {
  const { change, busy, error } = useChange(of);
  const questions = useCall('GET /customer_fields', { query: { page_size: 200 }, fields: ['key', 'label'] });
  /** Returns the name of a property; a column can also be the answer to a question of the business. */
  const nameOf = (property: string): string => {
    const key = property.startsWith('answer:') ? property.slice('answer:'.length) : null;
    const question = key === null ? undefined : questions.data?.results.find((one) => one.key === key);
    return question ? words.say('answer', { question: question.label }) : said('property', property);
  };
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
                  {nameOf(one)}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </section>
  );
}
