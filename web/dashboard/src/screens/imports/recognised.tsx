import { DATES, KINDS, sourceName } from './choices.ts';
import { Failed } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { OtherHeading } from './heading.tsx';
import { said, words } from './words.ts';
import { useChange } from './change.ts';
import type { Import } from './import.ts';

/** Shows what was recognized in the file, with fields to correct it. */
export function Recognised({ of }: { readonly of: Import }) {
  const { change, busy, error } = useChange(of);
  const asksSource = of.missing.includes('source');
  return (
    <section aria-labelledby="recognised">
      <h2 id="recognised">{words.say('recognised')}</h2>
      {error ? <Failed error={error} /> : null}
      <div className="card recognised">
        <Field label={words.say('field.kind')}>
          <select
            value={of.missing.includes('kind') ? '' : of.kind}
            disabled={busy}
            onChange={({ target }) => change({ kind: target.value as Import['kind'] })}
          >
            {of.missing.includes('kind') ? <option value="">{words.say('dates.choose')}</option> : null}
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {words.say(`kind.${kind}`)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.say('field.dates')}>
          <select
            value={of.date_format ?? ''}
            disabled={busy}
            onChange={({ target }) => change({ date_format: (target.value || null) as Import['date_format'] })}
          >
            <option value="">{words.say(of.missing.includes('date_format') ? 'dates.choose' : 'dates.any')}</option>
            {DATES.map((format) => (
              <option key={format} value={format}>
                {words.say(`dates.${format}`)}
              </option>
            ))}
          </select>
        </Field>
        {asksSource ? (
          <Field label={words.say('field.source')}>
            <select value="" disabled={busy} onChange={({ target }) => change({ source: target.value })}>
              <option value="">{words.say('dates.choose')}</option>
              {[of.source, 'file'].map((source) => (
                <option key={source} value={source}>
                  {sourceName(source)}
                </option>
              ))}
            </select>
          </Field>
        ) : null}
        <dl>
          {asksSource ? null : (
            <>
              <dt>{words.say('field.source')}</dt>
              <dd>{sourceName(of.source)}</dd>
            </>
          )}
          <dt>{words.say('field.written')}</dt>
          <dd>
            {of.encoding && of.delimiter
              ? words.say('written', {
                  encoding: of.encoding.toUpperCase(),
                  delimiter: said('delimiter', of.delimiter),
                })
              : words.say(of.format === 'ics' ? 'written.ics' : 'written.xlsx')}
          </dd>
        </dl>
        {of.format === 'ics' ? null : <p className="soft">{words.say('heading', { n: of.heading_line })}</p>}
      </div>
      {of.format === 'ics' || of.status === 'complete' ? null : <OtherHeading of={of} />}
    </section>
  );
}
