/** Moving in: all files of another product at once, from the upload to the import, and the files imported before. */
import './imports.css';
import { Link } from '@tanstack/react-router';
import { AllQuestions } from './all-questions.tsx';
import { Changed } from './differences.tsx';
import { Charges, Waiting } from './charges.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Fates } from './fates.tsx';
import { Files } from './files.tsx';
import { hasFates, isBusy, nameOf, useImports, type Import } from './import.ts';
import { momentOf } from '../../words/times.ts';
import { None } from '../../ui/listed.tsx';
import { Move } from './move.tsx';
import { Status } from './status.tsx';
import { SumsOf } from './sums.tsx';
import { Upload } from './upload.tsx';
import { useBusiness } from '../../app/business.ts';
import { ListPage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const { data, error, refetch } = useImports();
  const all: readonly Import[] = data?.results ?? [];
  const jobs = new Set(all.filter(isBusy).map(({ job }) => job));
  // In the order of their upload. Those of a running job stay together until it is done.
  const files = all
    .filter(({ has_rows: rows, status, job }) => rows && (status !== 'complete' || jobs.has(job)))
    .toReversed();
  const earlier = all.filter((one) => !files.includes(one));
  return (
    <ListPage title={words.say('title')} className="imports">
      <p>{words.say('lead')}</p>
      <Upload />
      {files.length > 0 ? (
        <>
          <Files files={files} />
          {files.some(isBusy) ? null : <AllQuestions files={files} />}
          <Move files={files} />
          <SumsOf files={files.filter(hasFates)} />
          <Charges files={files.filter(hasFates)} />
          <Changed files={files} />
        </>
      ) : null}
      <Waiting />
      <h2>{words.say('earlier')}</h2>
      {error && !data ? <Failed error={error} again={() => void refetch()} /> : data ? null : <Loading />}
      {data && earlier.length === 0 ? <None text={words.say('none')} /> : null}
      <Earlier files={earlier} />
    </ListPage>
  );
}

function Earlier({ files }: { readonly files: readonly Import[] }) {
  const { id: business, timezone } = useBusiness();
  if (files.length === 0) return null;
  return (
    <ul className="rows">
      {files.map((file) => (
        <li key={file.id}>
          <span className="what">
            <Link to={`/${business}/imports/${file.id}` as string}>{nameOf(file)}</Link>
            <br />
            <span className="soft small">
              {words.say(`kind.${file.kind}`)} · {words.say('rows', { n: file.row_count })} ·{' '}
              {momentOf(file.created_at, timezone)}
            </span>{' '}
            <Fates of={file} />
          </span>
          <span className="end">
            <Status of={file.status} />
          </span>
        </li>
      ))}
    </ul>
  );
}
