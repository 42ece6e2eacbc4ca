/** The common parts of the tables of a report: sortable columns, paging, and descriptions of the columns. */
import { Described } from '../described.tsx';
import { PAGE } from './query.ts';
import { numberOf } from '../../../words/times.ts';
import { useAddress } from '../../../app/address.ts';
import { words } from '../words.ts';
import type { ReportKind, ReportPage } from '../read.ts';

type Header = ReportPage['column_headers'][number];

export function Sortable({ header, isNumber }: { readonly header: Header; readonly isNumber: boolean }) {
  const [, change] = useAddress();
  const { key, label, definition, sortable, sorted } = header;
  const order = sorted && (sorted.order === 'asc' ? 'ascending' : 'descending');
  // Numbers are sorted from the largest by default.
  const next = sorted ? (sorted.order === 'desc' ? key : `-${key}`) : isNumber ? `-${key}` : key;
  return (
    <th scope="col" aria-sort={order} className={isNumber ? 'amount' : undefined} title={definition}>
      {sortable ? (
        <button type="button" className="plain" onClick={() => change({ sort: next, page: undefined })}>
          {label} {sorted ? <span aria-hidden="true">{sorted.order === 'asc' ? '↑' : '↓'}</span> : null}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

export function Pages({ total, page }: { readonly total: number; readonly page: number }) {
  const [, change] = useAddress();
  const pages = Math.ceil(total / PAGE);
  if (pages <= 1) return null;
  const go = (to: number): void => change({ page: to === 1 ? undefined : String(to) });
  return (
    <nav className="actions" aria-label={words.say('pages')}>
      <button type="button" className="second" disabled={page <= 1} onClick={() => go(page - 1)}>
        {words.say('pages.before')}
      </button>
      <span role="status">{words.say('pages.at', { page: numberOf(page), all: numberOf(pages) })}</span>
      <button type="button" className="second" disabled={page >= pages} onClick={() => go(page + 1)}>
        {words.say('pages.next')}
      </button>
    </nav>
  );
}

interface DefinitionsProps {
  readonly headers: readonly Header[];
  readonly report: ReportKind;
}

export function Definitions({ headers, report }: DefinitionsProps) {
  return (
    <details className="definitions">
      <summary>{words.say('definitions')}</summary>
      <dl>
        {headers.map(({ key, label, definition }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <Described text={definition} report={report} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
