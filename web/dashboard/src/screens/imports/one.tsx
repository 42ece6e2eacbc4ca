/** One file: its type, its columns, the outcome of each row, and the next step. */
import './imports.css';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Charges, Waiting } from './charges.tsx';
import { Columns } from './columns.tsx';
import { Loading, Missing } from '../../ui/states.tsx';
import { hasFates, isBusy, nameOf, useImport } from './import.ts';
import { MissingInstructors } from './instructors.tsx';
import { Next } from './next.tsx';
import { readAgain } from '../../app/calls.ts';
import { Questions } from './questions.tsx';
import { Recognised } from './recognised.tsx';
import { Rows } from './rows.tsx';
import { Status } from './status.tsx';
import { SumsOf } from './sums.tsx';
import { Unimported } from './unimported.tsx';
import { useBusiness } from '../../app/business.ts';
import { useParam } from '../../app/address.ts';
import { DetailsPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const business = useBusiness();
  const found = useImport(Number(useParam('import')));
  const { data, error } = found;
  const status = data?.status;
  const before = useRef(status);
  useEffect(() => {
    // The outcomes of the rows have changed.
    if (before.current !== undefined && before.current !== status) readAgain();
    before.current = status;
  }, [status]);
  if (error && !data)
    return (
      <Missing error={error} again={() => void found.refetch()} title={words.say('not_found')}>
        <Link to={`/${business.id}/imports` as string}>{words.say('next.more')}</Link>
      </Missing>
    );
  if (!data) return <Loading />;
  return (
    <DetailsPage
      className="imports"
      back={{ to: 'imports', label: words.say('next.more') }}
      title={nameOf(data)}
      tools={<Status of={data.status} />}
    >
      <Next of={data} />
      {isBusy(data) ? null : <Questions of={data} />}
      {hasFates(data) ? <SumsOf files={[data]} /> : null}
      {hasFates(data) ? <Charges files={[data]} /> : null}
      {hasFates(data) ? <MissingInstructors of={data} /> : null}
      {hasFates(data) ? <Unimported of={data} /> : null}
      {data.status === 'complete' && data.kind === 'memberships' ? <Waiting /> : null}
      {hasFates(data) && data.has_rows ? <Rows of={data} /> : null}
      {isBusy(data) ? null : (
        <>
          <Recognised of={data} />
          <Columns of={data} />
        </>
      )}
    </DetailsPage>
  );
}
