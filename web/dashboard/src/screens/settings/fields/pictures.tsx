/** Fields for pictures. */
import { useState } from 'react';
import { hintFor, labelOf, words } from '../words.ts';
import { Picture, Pictures, picturesIn, UploadPicture } from '../../../ui/pictures.tsx';
import type { FieldOf } from './field-of.ts';

export function Image({ form, setting, typed, errors }: FieldOf) {
  const [id, setId] = useState(typed[setting.name] ?? '');
  const label = labelOf(form, setting);
  const wrong = errors(setting.name);
  return (
    <div className="field">
      <UploadPicture label={label} hint={hintFor(form, setting)} onId={setId} />
      <input type="hidden" name={setting.name} value={id} />
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      {id ? (
        <p className="pictures">
          <Picture id={id} />
          <button type="button" className="plain" onClick={() => setId('')}>
            {words.say('remove', { what: label })}
          </button>
        </p>
      ) : null}
    </div>
  );
}

export const Images = ({ form, setting, typed, errors }: FieldOf) => (
  <Pictures
    name={setting.name}
    label={labelOf(form, setting)}
    hint={hintFor(form, setting)}
    first={picturesIn(typed, setting.name)}
    errors={errors(setting.name)}
  />
);
