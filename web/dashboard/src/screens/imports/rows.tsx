/** The outcome of each row in the last check or run; the address has the filter. */
import { Differences } from './differences.tsx';
import { Listed } from '../../ui/listed.tsx';
import { useAddress } from '../../app/address.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import { numberOf } from '../../words/times.ts';
import type { Import } from './import.ts';

const FATES = ['created', 'changed', 'unchanged', 'rejected'] as const;
type Fate = (typeof FATES)[number];

const isFate = (text: string | undefined): text is Fate => FATES.includes(text as Fate);
const TONES: Readonly<Record<Fate, string>> = {
  created: 'tag good',
  changed: 'tag',
  unchanged: 'tag',
  rejected: 'tag wrong',
};

export function Rows({ of }: { readonly of: Import }) {
  const [address, change] = useAddress();
  const fate = isFate(address.fate) ? address.fate : undefined;
  const list = usePages(
    'GET /imports/{id}/rows',
    { params: { id: of.id }, query: { page_size: 25, ...(fate && { fate }) } },
    { keep: true },
  );
  const counts: Readonly<Record<Fate, number>> = {
    created: of.created_count,
    changed: of.changed_count,
    unchanged: of.unchanged_count,
    rejected: of.rejected_count,
  };
  const isRun = of.status === 'complete' || of.status === 'running';
  return (
    <section aria-labelledby="fates">
      <h2 id="fates">{words.say(isRun ? 'result.done' : 'result')}</h2>
      <div className="tools" role="group" aria-labelledby="fates">
        {[undefined, ...FATES].map((one) => (
          <button
            key={one ?? 'all'}
            type="button"
            className="second"
            aria-pressed={fate === one}
            onClick={() => change({ fate: one })}
          >
            {words.say(`fate.${one ?? 'all'}`)} <strong>{numberOf(one ? counts[one] : of.done_count)}</strong>
          </button>
        ))}
      </div>
      <Listed list={list} none={words.say('rows.none')} next={[]}>
        {(all) => (
          <ul className="rows fates">
            {all.map((row) => (
              <li key={row.id}>
                <span className="line soft small">{words.say('line', { n: row.line })}</span>
                <span className="what">
                  {row.cells.filter(Boolean).slice(0, 5).join(' · ')}
                  <Differences changes={row.changes} />
                  {row.issues.map(({ column, value, reason }) => (
                    <span key={`${column} ${reason}`} className="small why">
                      {[column, value && `“${value}”`].filter(Boolean).join(' ')} {reason}
                    </span>
                  ))}
                </span>
                <span className="end">
                  {row.fate ? <span className={TONES[row.fate]}>{words.say(`fate.${row.fate}`)}</span> : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}
