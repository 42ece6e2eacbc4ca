/** One file: its type, its columns, the outcome of each row, and the next step. */
import './imports.css';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Columns } from './columns.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { hasFates, isBusy, useImport } from './import.ts';
import { Next } from './next.tsx';
import { problemOf, readAgain } from '../../app/calls.ts';
import { Recognised } from './recognised.tsx';
import { Rows } from './rows.tsx';
import { Status } from './status.tsx';
import { useBusiness } from '../../app/business.ts';
import { useParam } from '../../app/address.ts';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const business = useBusiness();
  const found = useImport(Number(useParam('import')));
  const { data, error } = found;
  const title = data ? (data.file_name ?? words.say(`kind.${data.kind}`)) : words.say('title');
  useEffect(() => {
    document.title = `${title} – ${business.name}`;
  }, [title, business.name]);
  const status = data?.status;
  const before = useRef(status);
  useEffect(() => {
    // The outcomes of the rows have changed.
    if (before.current !== undefined && before.current !== status) readAgain();
    before.current = status;
  }, [status]);
  const back = <Link to={`/${business.id}/imports` as string}>{words.say('next.more')}</Link>;
  if (!data) {
    if (problemOf(error)?.code === 'not_found')
      return (
        <Empty whole title={words.say('not_found')}>
          {back}
        </Empty>
      );
    return (
      <>
        <h1>{title}</h1>
        {error ? <Failed error={error} again={() => void found.refetch()} /> : <Loading />}
      </>
    );
  }
  return (
    <div className="imports">
      <div className="screen-top">
        <h1>{title}</h1>
        <Status of={data.status} />
      </div>
      <Next of={data} />
      {hasFates(data) && data.has_rows ? <Rows of={data} /> : null}
      {isBusy(data) ? null : (
        <>
          <Recognised of={data} />
          <Columns of={data} />
        </>
      )}
      <p>{back}</p>
    </div>
  );
}
