import { Failed } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { said, words } from './words.ts';
import { useChange } from './change.ts';
import type { Import } from './import.ts';

const KINDS = ['customers', 'schedule', 'memberships', 'bookings', 'staff'] as const;
const DATES = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD'] as const;
/** Product names, which are not translated. */
const PRODUCTS: Readonly<Record<string, string>> = {
  mindbody: 'Mindbody',
  teamup: 'TeamUp',
  momence: 'Momence',
  glofox: 'Glofox',
};

/** Shows what was recognized in the file, with fields to correct it. */
export function Recognised({ of }: { readonly of: Import }) {
  const { change, busy, error } = useChange(of);
  return (
    <section aria-labelledby="recognised">
      <h2 id="recognised">{words.say('recognised')}</h2>
      {error ? <Failed error={error} /> : null}
      <div className="card recognised">
        <Field label={words.say('field.kind')}>
          <select
            value={of.kind}
            disabled={busy}
            onChange={({ target }) => change({ kind: target.value as Import['kind'] })}
          >
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
        <dl>
          <dt>{words.say('field.source')}</dt>
          <dd>{PRODUCTS[of.source] ?? (of.source === 'file' ? words.say('source.file') : of.source)}</dd>
          <dt>{words.say('field.written')}</dt>
          <dd>
            {of.encoding && of.delimiter
              ? words.say('written', {
                  encoding: of.encoding.toUpperCase(),
                  delimiter: said('delimiter', of.delimiter),
                })
              : words.say('written.xlsx')}
          </dd>
        </dl>
      </div>
    </section>
  );
}
