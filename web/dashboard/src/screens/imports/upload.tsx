import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { ChooseHeading } from './heading.tsx';
import { keepFile } from './kept-files.ts';
import { problemOf, readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

const ARCHIVE = /\.zip$/i;
/** Files in which a person can show the row that names the columns. */
const TABLE = /\.(?:csv|tsv|txt|xlsx)$/i;

interface LeftOut {
  /** absent if it was in an archive */
  readonly file?: File;
  readonly name: string;
  readonly reason: string;
}

/** Uploads files as soon as they are chosen, one after the other: this changes nothing in the business. */
export function Upload() {
  const { id: business } = useBusiness();
  const client = clientOf(business);
  const [reading, setReading] = useState<string | null>(null);
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const [error, setError] = useState<unknown>(null);
  /** Uploads one file. Returns what can't be read of it; a file that can't be read doesn't stop the others. */
  const sendOne = async (file: File): Promise<LeftOut[]> => {
    try {
      if (!ARCHIVE.test(file.name)) {
        const { id } = await client.call('POST /imports', { body: { file, file_name: file.name } });
        keepFile(id, file);
      } else {
        const { left_out: left } = await client.call('POST /imports/archive', { body: { file } });
        return left.map(({ file_name: name, reason }) => ({ name, reason }));
      }
      return [];
    } catch (refused) {
      const reasons = problemOf(refused)?.field_errors.file;
      if (!reasons) throw refused;
      return reasons.map((reason) => ({ name: file.name, reason, file: TABLE.test(file.name) ? file : undefined }));
    }
  };
  const send = async (files: readonly File[]): Promise<void> => {
    setError(null);
    setLeftOut([]);
    try {
      for (const file of files) {
        setReading(file.name);
        const left = await sendOne(file);
        setLeftOut((before) => [...before, ...left]);
      }
    } catch (refused) {
      setError(refused);
    } finally {
      readAgain();
      setReading(null);
    }
  };
  const isReading = reading !== null;
  return (
    <div
      className="card"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (!isReading) void send([...event.dataTransfer.files]);
      }}
    >
      {error ? <Failed error={error} /> : null}
      <Field
        label={words.say('upload')}
        hint={words.say('upload.hint')}
        errors={leftOut.map(({ name, reason }) => `${name}: ${reason}`)}
      >
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.ics,.zip,text/calendar,text/csv,text/tab-separated-values,text/plain,application/zip"
          multiple
          disabled={isReading}
          onChange={({ target }) => {
            void send([...(target.files ?? [])]);
            // Allows choosing the same file again after it was corrected.
            target.value = '';
          }}
        />
      </Field>
      <Unreadable all={leftOut} />
      <p role="status" className="soft">
        {isReading ? `${words.say('reading')} ${reading}` : ''}
      </p>
    </div>
  );
}

/** Offers the choice of the heading for tables that can't be read as they were recognised. */
function Unreadable({ all }: { readonly all: readonly LeftOut[] }) {
  const [open, setOpen] = useState<File>();
  const files = all.flatMap(({ file }) => file ?? []);
  if (open && files.includes(open)) return <ChooseHeading file={open} />;
  return files.map((file) => (
    <button key={file.name} type="button" className="second" onClick={() => setOpen(file)}>
      {words.say('heading.other')}: {file.name}
    </button>
  ));
}
