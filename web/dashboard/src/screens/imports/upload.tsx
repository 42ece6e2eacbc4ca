import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Failed } from '../../ui/states.tsx';
import { Field } from '../../ui/field.tsx';
import { problemOf, readAgain } from '../../app/calls.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

/** Uploads the file as soon as it is chosen: this changes nothing in the business. */
export function Upload() {
  const { id: business } = useBusiness();
  const navigate = useNavigate();
  const [reading, setReading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setReading(true);
    setError(null);
    try {
      const { id } = await clientOf(business).call('POST /imports', { body: { file, file_name: file.name } });
      readAgain();
      await navigate({ to: `/${business}/imports/${id}` as string });
    } catch (refused) {
      setError(refused);
    } finally {
      setReading(false);
    }
  };
  const wrong = problemOf(error)?.field_errors.file;
  return (
    <div className="card">
      {error && !wrong ? <Failed error={error} /> : null}
      <Field label={words.say('upload')} hint={words.say('upload.hint')} errors={wrong}>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,text/plain"
          disabled={reading}
          onChange={({ target }) => {
            void send(target.files?.[0]);
            // Allows choosing the same file again after it was corrected.
            target.value = '';
          }}
        />
      </Field>
      <p role="status" className="soft">
        {reading ? words.say('reading') : ''}
      </p>
    </div>
  );
}
