/** The rows of the list. Only visible rows are rendered, so its length does not matter. */
import { useRef, useState } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Kept } from '../../ui/kept.tsx';
import { FILTERS } from './filters.tsx';
import { nameOf } from '../../app/customers.ts';
import { PAGE, queryOf, useFound, isSort, type Found, type Sort } from './found.ts';
import { numberOf } from '../../words/times.ts';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { columnsOf, membershipOf, type Column } from './columns.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

/** Height of a row in rem; as in people.css. */
const ROW_REM = 3.5;
const remPx = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);

export interface RowsProps {
  readonly chosen: ReadonlyMap<number, string>;
  readonly onChoose: (id: number, name: string, is: boolean) => void;
  /** false if the person can't perform any bulk action */
  readonly choosable: boolean;
}

export function Rows({ chosen, onChoose, choosable }: RowsProps) {
  const { timezone } = useBusiness();
  const [address, change] = useAddress();
  const query = queryOf(address);
  const columns = columnsOf(address.columns);
  const [known, setKnown] = useState({ of: '', count: PAGE });
  const asked = JSON.stringify(query);
  const place = useRef<HTMLDivElement>(null);
  // Computed once, not for each of many thousand rows.
  const height = ROW_REM * remPx();
  const rows = useWindowVirtualizer({
    count: known.count,
    estimateSize: () => height,
    overscan: 10,
    scrollMargin: place.current?.offsetTop ?? 0,
  });
  const seen = rows.getVirtualItems();
  const pages = [...new Set([1, ...seen.map(({ index }) => Math.floor(index / PAGE) + 1)])];
  const found = useFound(query, pages);
  const [first] = found;
  if (first.data && (known.of !== asked || known.count !== first.data.count) && !first.isPlaceholderData)
    setKnown({ of: asked, count: first.data.count });
  const failed = found.find(({ error }) => error);
  if (failed?.error) return <Failed error={failed.error} again={() => void failed.refetch()} />;
  if (!first.data) return <Loading />;
  if (first.data.count === 0 && first.isPlaceholderData) return <Loading />;
  if (first.data.count === 0) {
    const isFiltered = FILTERS.some((name) => address[name]);
    return (
      <Empty title={words.say(isFiltered ? 'none' : 'nobody')}>
        <p>{words.say(isFiltered ? 'none.next' : 'nobody.next')}</p>
      </Empty>
    );
  }
  const at = new Map(pages.map((page, i) => [page, found[i].data?.results]));
  const sort = isSort(address.sort) ? address.sort : 'last_name';
  const heading = (by: Sort & ('last_name' | 'status' | 'created_at'), text: string) => (
    <button
      type="button"
      className="plain"
      onClick={() => change({ sort: sort === by ? `-${by}` : by })}
      aria-label={words.say('sort', { by: text })}
    >
      {text} {sort === by ? '↑' : sort === `-${by}` ? '↓' : ''}
    </button>
  );
  const order = (by: string | undefined) =>
    by === undefined ? undefined : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  return (
    <Kept read={first}>
      <p role="status" className="numbers">
        {words.say('count', { n: first.data.count })}
      </p>
      <div
        className="people-table"
        role="table"
        aria-label={words.say('title')}
        aria-rowcount={first.data.count + 1}
        style={{ '--columns': columns.length } as React.CSSProperties}
      >
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className="people-row head">
            {choosable ? (
              <span role="columnheader" className="tick">
                <span className="unseen">{words.say('chosen')}</span>
              </span>
            ) : null}
            <span role="columnheader" className="name" aria-sort={order('last_name')}>
              {heading('last_name', words.say('column.name'))}
            </span>
            {columns.map(({ name, sort: by }) => (
              <span key={name} role="columnheader" className="more" aria-sort={order(by)}>
                {by ? heading(by, words.say(`column.${name}`)) : words.say(`column.${name}`)}
              </span>
            ))}
          </div>
        </div>
        <div ref={place} role="rowgroup" className="people-rows" style={{ height: rows.getTotalSize() }}>
          {seen.map(({ index, start }) => {
            const person = at.get(Math.floor(index / PAGE) + 1)?.[index % PAGE];
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className="people-row"
                style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
              >
                {person ? (
                  <Cells {...{ person, columns, choosable, timezone, onChoose }} isChosen={chosen.has(person.id)} />
                ) : (
                  <span role="cell" className="soft">
                    {words.say('reading', { n: numberOf(index + 1) })}
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </Kept>
  );
}

interface CellsProps {
  readonly person: Found;
  readonly columns: readonly Column[];
  readonly isChosen: boolean;
  readonly choosable: boolean;
  readonly timezone: string;
  readonly onChoose: RowsProps['onChoose'];
}

function Cells({ person, columns, isChosen, choosable, timezone, onChoose }: CellsProps) {
  const name = nameOf(person);
  return (
    <>
      {choosable ? (
        <span role="cell" className="tick">
          <input
            type="checkbox"
            aria-label={words.say('choose', { name })}
            checked={isChosen}
            onChange={(event) => onChoose(person.id, name, event.target.checked)}
          />
        </span>
      ) : null}
      <span role="cell" className="name">
        <CustomerLink id={person.id} name={name} />
        <span dir="auto" className="soft small on-desk">
          {person.email || (person.family_role === 'child' ? words.say('child') : '')}
        </span>
        <span dir="auto" className="soft small on-phone">
          {membershipOf(person)}
        </span>
      </span>
      {columns.map(({ name: column, shown }) => (
        <span key={column} role="cell" dir="auto" className="more">
          {shown(person, timezone)}
        </span>
      ))}
    </>
  );
}
