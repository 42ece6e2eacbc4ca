/** Imports: uploading a file of another product, and the list of earlier imports. */
import './imports.css';
import { Link } from '@tanstack/react-router';
import { Listed } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { Status } from './status.tsx';
import { Upload } from './upload.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const { id: business, timezone } = useBusiness();
  const list = usePages('GET /imports', {
    query: { page_size: 20 },
    fields: ['id', 'file_name', 'kind', 'status', 'row_count', 'created_at'],
  });
  return (
    <div className="imports">
      <h1>{words.say('title')}</h1>
      <p>{words.say('lead')}</p>
      <Upload />
      <h2>{words.say('earlier')}</h2>
      <Listed list={list} none={words.say('none')}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, file_name, kind, status, row_count, created_at }) => (
              <li key={id}>
                <span className="what">
                  <Link to={`/${business}/imports/${id}` as string}>{file_name ?? words.say(`kind.${kind}`)}</Link>
                  <br />
                  <span className="soft small">
                    {words.say(`kind.${kind}`)} · {words.say('rows', { n: row_count })} ·{' '}
                    {momentOf(created_at, timezone)}
                  </span>
                </span>
                <span className="end">
                  <Status of={status} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </div>
  );
}
