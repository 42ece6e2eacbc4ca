/** Settings that are pictures: uploaded when they are chosen, used once the change is made. */
import { Refused } from 'rollcall-sdk';
import { useId, useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { hintOf, labelOf, words } from '../words.ts';
import { ui } from '../../../ui/words.ts';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import type { FieldOf } from './field-of.ts';

function Picture({ id }: { readonly id: string }) {
  const { data } = useCall('GET /images/{id}', { params: { id: Number(id) } });
  return data ? <img className="setting-picture" src={data.url} alt="" /> : null;
}

/** Uploads a file that is chosen. It is used by nothing until then. */
function Upload({
  label,
  hint,
  onId,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly onId: (id: string) => void;
}) {
  const { id: business } = useBusiness();
  const field = useId();
  const [isSending, setIsSending] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const send = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (!file) return;
    setIsSending(true);
    setWrong(null);
    try {
      const { id } = await clientOf(business).call('POST /images', { body: { image: file } });
      onId(String(id));
    } catch (error) {
      setWrong(error instanceof Refused ? error.problem.message : ui.say('unreachable'));
    }
    input.value = '';
    setIsSending(false);
  };
  return (
    <>
      <label htmlFor={field}>{label}</label>
      <p className="hint" id={`${field}h`}>
        {hint ? `${hint} ` : ''}
        {words.say('picture.hint')}
      </p>
      <input
        id={field}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/avif"
        aria-describedby={`${field}h`}
        disabled={isSending}
        onChange={(event) => void send(event.currentTarget)}
      />
      {isSending ? <p role="status">{ui.say('loading')}</p> : null}
      {wrong ? (
        <p className="error" role="alert">
          {wrong}
        </p>
      ) : null}
    </>
  );
}

export function Image({ form, setting, typed, errors }: FieldOf) {
  const [id, setId] = useState(typed[setting.name] ?? '');
  const label = labelOf(form, setting);
  const wrong = errors(setting.name);
  return (
    <div className="field">
      <Upload label={label} hint={hintOf(form, setting)} onId={setId} />
      <input type="hidden" name={setting.name} value={id} />
      {wrong.length > 0 ? <p className="error">{wrong.join(' ')}</p> : null}
      {id ? (
        <p className="setting-pictures">
          <Picture id={id} />
          <button type="button" className="plain" onClick={() => setId('')}>
            {words.say('remove', { what: label })}
          </button>
        </p>
      ) : null}
    </div>
  );
}

export function Images({ form, setting, typed }: FieldOf) {
  const [ids, setIds] = useState<readonly string[]>(() =>
    Object.keys(typed)
      .filter((name) => name.startsWith(`${setting.name}.`) && typed[name] !== undefined)
      .map((name) => name.slice(setting.name.length + 1)),
  );
  return (
    <div className="field">
      <Upload
        label={labelOf(form, setting)}
        hint={hintOf(form, setting)}
        onId={(id) => setIds((all) => [...all.filter((one) => one !== id), id])}
      />
      <ul className="setting-pictures plain-list">
        {ids.map((id, n) => (
          <li key={id}>
            <input type="hidden" name={`${setting.name}.${id}`} value="on" />
            <Picture id={id} />
            <button type="button" className="plain" onClick={() => setIds((all) => all.filter((one) => one !== id))}>
              {words.say('picture.remove', { n: n + 1 })}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
