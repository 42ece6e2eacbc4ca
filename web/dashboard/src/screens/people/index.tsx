/** The customer list: searching, selecting, and bulk actions. */
import './people.css';
import { useState } from 'react';
import { BulkBar } from './bulk.tsx';
import { COLUMNS, columnsOf } from './columns.tsx';
import { Filters } from './filters.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { NewCustomer } from './new-customer.tsx';
import { Rows } from './rows.tsx';
import { useAddress } from '../../app/address.ts';
import { words as ofPerson } from '../../person/words.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const ready = Promise.all([words.ready, ofPerson.ready]).then(() => {});

export function Screen() {
  const business = useBusiness();
  const [address, change] = useAddress();
  const creating = address.do === 'new' && may(business, 'super_admin');
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const choose = (id: number, name: string, is: boolean): void =>
    setChosen((before) => {
      const next = new Map(before);
      if (is) next.set(id, name);
      else next.delete(id);
      return next;
    });
  const choosable = may(business, 'customers');
  return (
    <ListPage
      className="people"
      title={words.say('title')}
      tools={
        <div className="tools">
          <Columns />
          {may(business, 'super_admin') ? (
            <button type="button" onClick={() => change({ do: 'new' })}>
              {words.say('new')}
            </button>
          ) : null}
        </div>
      }
    >
      <Filters />
      {choosable ? <BulkBar chosen={chosen} onChosen={setChosen} /> : null}
      <Rows chosen={chosen} onChoose={choose} choosable={choosable} />
      {creating ? <NewCustomer onClose={() => change({ do: undefined })} /> : null}
    </ListPage>
  );
}

/** The choice of columns. */
function Columns() {
  const business = useBusiness();
  const [address, change] = useAddress();
  const shown = columnsOf(address.columns).map(({ name }) => name);
  // Columns without permission would stay empty.
  if (!may(business, 'customers')) return null;
  return (
    <details className="columns">
      <summary className="second">{words.say('columns')}</summary>
      <div className="card">
        {COLUMNS.map(({ name }) => (
          <label key={name} className="box">
            <input
              type="checkbox"
              checked={shown.includes(name)}
              onChange={(event) => {
                const next = event.target.checked ? [...shown, name] : shown.filter((one) => one !== name);
                change({ columns: next.join(',') || '-' });
              }}
            />{' '}
            {words.say(`column.${name}`)}
          </label>
        ))}
      </div>
    </details>
  );
}
