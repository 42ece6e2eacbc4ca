/** The words of a file that decide what happens to its rows. Open questions come first. */
import { Failed } from '../../ui/states.tsx';
import { said, words } from './words.ts';
import { useChange } from './change.ts';
import type { Import } from './import.ts';

export function Questions({ of }: { readonly of: Import }) {
  const { change, busy, error } = useChange(of);
  if (of.questions.length === 0) return null;
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">{words.say('questions')}</h2>
      <p className="soft">{words.say('questions.hint')}</p>
      {error ? <Failed error={error} /> : null}
      <ul className="rows columns-of">
        {of.questions.map(({ property, column, value, row_count: rows, choices, answer }, i) => (
          <li key={`${property} ${value}`}>
            <label htmlFor={`question-${i}`} className="what">
              <strong>{value || words.say('question.empty')}</strong>
              <br />
              <span className="soft small">
                {column} · {words.say('rows', { n: rows })}
              </span>
            </label>
            <select
              id={`question-${i}`}
              className="end"
              value={answer ?? ''}
              disabled={busy}
              aria-invalid={answer === null || undefined}
              onChange={({ target }) =>
                change({ answers: [{ property: property as never, value, meaning: (target.value || null) as never }] })
              }
            >
              {answer === null ? <option value="">{words.say('dates.choose')}</option> : null}
              {choices.map((meaning) => (
                <option key={meaning} value={meaning}>
                  {said('meaning', meaning)}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </section>
  );
}
