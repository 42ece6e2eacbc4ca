/** The field for a file of the library: uploaded when it is chosen, used once the change is made. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { hintFor, labelOf, words } from '../words.ts';
import { Upload } from '../../../ui/pictures.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import type { FieldOf } from './field-of.ts';

function FileName({ id }: { readonly id: string }) {
  const { data } = useCall('GET /content_files/{id}', { params: { id: Number(id) } });
  return <>{data?.name ?? ''}</>;
}

export function LibraryFile({ form, setting, typed, errors }: FieldOf) {
  const { id: business } = useBusiness();
  const [id, setId] = useState(typed[setting.name] ?? '');
  const label = labelOf(form, setting);
  const wrong = errors(setting.name);
  const send = async (file: File): Promise<number> =>
    (await clientOf(business).call('POST /content_files', { body: { name: file.name, file } })).id;
  return (
    <div className="field">
      <Upload
        label={label}
        hint={hintFor(form, setting)}
        accept="application/pdf,video/mp4,audio/mpeg"
        send={send}
        onId={setId}
      />
      <input type="hidden" name={setting.name} value={id} />
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      {id ? (
        <p>
          <FileName id={id} />{' '}
          <button type="button" className="plain" onClick={() => setId('')}>
            {words.say('remove', { what: label })}
          </button>
        </p>
      ) : null}
    </div>
  );
}
