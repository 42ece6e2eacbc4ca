/** The row that names the columns, and the sheet of a workbook, chosen by a person who sees the first rows. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { fileOf, keepFile } from './kept-files.ts';
import { readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';
import type { AnswerOf } from 'rollcall-sdk';
import type { Import } from './import.ts';

type FirstRows = AnswerOf<'POST /imports/first_rows'>;

interface Choosing {
  readonly file: File;
  /** an import of this file with another heading, which the new one replaces */
  readonly replaces?: number;
}

/** Shows the first rows of a file. The row that is chosen names the columns of a new import. */
export function ChooseHeading({ file, replaces }: Choosing) {
  const { id: business } = useBusiness();
  const navigate = useNavigate();
  const [sheet, setSheet] = useState<string>();
  const [found, setFound] = useState<FirstRows | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const client = clientOf(business);
  useEffect(() => {
    let isCurrent = true;
    client.call('POST /imports/first_rows', { body: { file, sheet } }).then(
      (rows) => isCurrent && (setFound(rows), setError(null)),
      (refused: unknown) => isCurrent && setError(refused),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, file, sheet]);
  const choose = async (line: number): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { id } = await client.call('POST /imports', {
        body: { file, file_name: file.name, sheet, heading_line: line, replaces },
      });
      keepFile(id, file);
      readAgain();
      void navigate({ to: `/${business}/imports/${id}` as string });
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  if (!found) return error ? <Failed error={error} /> : <Loading />;
  return (
    <div className="first-rows">
      {found.sheets.length > 1 ? (
        <Field label={words.say('heading.sheet')}>
          <select value={sheet ?? found.sheets[0]} disabled={busy} onChange={({ target }) => setSheet(target.value)}>
            {found.sheets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      ) : null}
      <p>{words.say('heading.choose')}</p>
      {error ? <Failed error={error} /> : null}
      <ul className="rows">
        {found.rows.map(({ line, cells }) => (
          <li key={line}>
            <button type="button" className="second" disabled={busy} onClick={() => void choose(line)}>
              {words.say('line', { n: line })}
            </button>
            <span className="what">{cells.filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Opens the choice for an import whose heading was recognised in the wrong row. */
export function OtherHeading({ of }: { readonly of: Import }) {
  const [file, setFile] = useState<File>();
  const [isOpen, setIsOpen] = useState(false);
  const known = file ?? fileOf(of.id);
  if (!isOpen)
    return (
      <button type="button" className="second" onClick={() => setIsOpen(true)}>
        {words.say('heading.other')}
      </button>
    );
  if (known) return <ChooseHeading file={known} replaces={of.id} />;
  return (
    <Field label={words.say('heading.again')}>
      <input type="file" accept=".csv,.tsv,.txt,.xlsx" onChange={({ target }) => setFile(target.files?.[0])} />
    </Field>
  );
}
