/** The questions about all files, each with a field for its answer. */
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Failed } from '../../ui/states.tsx';
import { asksAbout, missingColumns, type Ask } from './asks.ts';
import { DATES, KINDS, sourceName } from './choices.ts';
import { nameOf, type Import } from './import.ts';
import { said, words } from './words.ts';
import { useBusiness } from '../../app/business.ts';
import { useChange, type Changing } from './change.ts';

export function AllQuestions({ files }: { readonly files: readonly Import[] }) {
  const { change, busy, error } = useChange();
  const asks = asksAbout(files);
  if (asks.length === 0) return null;
  return (
    <section aria-labelledby="asks">
      <h2 id="asks">{words.say('asks', { n: asks.length })}</h2>
      <p className="soft">{words.say('asks.hint')}</p>
      {error ? <Failed error={error} /> : null}
      <ul className="rows columns-of">
        {asks.map((ask) => (
          <Question key={ask.key} of={ask} change={change} busy={busy} />
        ))}
      </ul>
    </section>
  );
}

type Choice = readonly [value: string, label: string];

const titleOf = (ask: Ask): string =>
  ask.what === 'word' ? ask.value || words.say('question.empty') : words.say(`asks.${ask.what}`);

function choicesOf(ask: Ask): readonly Choice[] {
  if (ask.what === 'kind') return KINDS.map((kind) => [kind, words.say(`kind.${kind}`)]);
  if (ask.what === 'dates') return DATES.map((format) => [format, words.say(`dates.${format}`)]);
  if (ask.what === 'source') return [...new Set([ask.source, 'file'])].map((one) => [one, sourceName(one)]);
  return ask.what === 'word' ? ask.choices.map((meaning) => [meaning, said('meaning', meaning)]) : [];
}

function bodyOf(ask: Ask, answer: string): Parameters<Changing['change']>[0] {
  if (ask.what === 'kind') return { kind: answer as Import['kind'] };
  if (ask.what === 'dates') return { date_format: answer as Import['date_format'] };
  if (ask.what !== 'word') return { source: answer };
  return { answers: [{ property: ask.property as never, value: ask.value, meaning: answer as never }] };
}

function Question({ of, change, busy }: { readonly of: Ask } & Pick<Changing, 'change' | 'busy'>) {
  const { id: business } = useBusiness();
  const id = useId();
  const names = of.files.map(nameOf).join(', ');
  const about = (
    <>
      <strong>{titleOf(of)}</strong>
      <br />
      <span className="soft small">
        {of.what === 'word' ? `${of.column} · ` : ''}
        {names} · {words.say('rows', { n: of.rows })}
      </span>
    </>
  );
  if (of.what === 'columns')
    return (
      <li>
        <span className="what">{about}</span>
        <Link className="end" to={`/${business}/imports/${of.files[0].id}` as string}>
          {missingColumns(of.files[0])
            .map((one) =>
              one
                .split(' | ')
                .map((property) => said('property', property))
                .join(` ${words.say('or')} `),
            )
            .join(', ')}
        </Link>
      </li>
    );
  return (
    <li>
      <label htmlFor={id} className="what">
        {about}
      </label>
      <select
        id={id}
        className="end"
        value=""
        disabled={busy}
        onChange={({ target }) => change(bodyOf(of, target.value), of.files)}
      >
        <option value="">{words.say('dates.choose')}</option>
        {choicesOf(of).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </li>
  );
}
