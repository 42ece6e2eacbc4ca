/** The files that are not imported yet, what each of them is, and what would become of its rows. */
import { Link } from '@tanstack/react-router';
import { Failed } from '../../ui/states.tsx';
import { Fates } from './fates.tsx';
import { isBusy, nameOf, type Import } from './import.ts';
import { KINDS } from './choices.ts';
import { Status } from './status.tsx';
import { useBusiness } from '../../app/business.ts';
import { useChange } from './change.ts';
import { words } from './words.ts';

export function Files({ files }: { readonly files: readonly Import[] }) {
  const { id: business } = useBusiness();
  const { change, busy, error } = useChange();
  return (
    <section aria-labelledby="files">
      <h2 id="files">{words.say('files')}</h2>
      {error ? <Failed error={error} /> : null}
      <ul className="rows columns-of">
        {files.map((file) => (
          <li key={file.id}>
            <span className="what">
              <Link to={`/${business}/imports/${file.id}` as string}>{nameOf(file)}</Link>
              <br />
              <span className="soft small">{words.say('rows', { n: file.row_count })}</span> <Fates of={file} />
            </span>
            <span className="end files-end">
              <Status of={file.status} />
              <select
                aria-label={words.say('files.kind', { file: nameOf(file) })}
                value={file.missing.includes('kind') ? '' : file.kind}
                disabled={busy || isBusy(file) || !file.has_rows}
                onChange={({ target }) => change({ kind: target.value as Import['kind'] }, [file])}
              >
                {file.missing.includes('kind') ? <option value="">{words.say('dates.choose')}</option> : null}
                {KINDS.map((kind) => (
                  <option key={kind} value={kind}>
                    {words.say(`kind.${kind}`)}
                  </option>
                ))}
              </select>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
