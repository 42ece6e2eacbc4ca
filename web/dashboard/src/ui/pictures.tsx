/** Pictures in a form: uploaded when they are chosen, used once the change is made. */
import './pictures.css';
import { Refused } from 'rollcall-sdk';
import { useId, useState } from 'react';
import { clientOf } from '../app/client.ts';
import { ui } from './words.ts';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';

export function Picture({ id }: { readonly id: string }) {
  const { data } = useCall('GET /images/{id}', { params: { id: Number(id) } });
  return data ? <img className="picture" src={data.url} alt="" /> : null;
}

export interface UploadPictureProps {
  readonly label: string;
  readonly hint?: string;
  readonly onId: (id: string) => void;
}

interface UploadProps extends UploadPictureProps {
  /** media types, separated by commas */
  readonly accept: string;
  /** uploads the file and returns its id */
  readonly send: (file: File) => Promise<number>;
}

/** Uploads a chosen file. Nothing uses it until the change is made. */
export function Upload({ label, hint, accept, send, onId }: UploadProps) {
  const field = useId();
  const [isSending, setIsSending] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const choose = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (!file) return;
    setIsSending(true);
    setWrong(null);
    try {
      onId(String(await send(file)));
    } catch (error) {
      setWrong(error instanceof Refused ? error.problem.message : ui.say('unreachable'));
    }
    input.value = '';
    setIsSending(false);
  };
  return (
    <>
      <label htmlFor={field}>{label}</label>
      {hint ? (
        <p className="hint" id={`${field}h`}>
          {hint}
        </p>
      ) : null}
      <input
        id={field}
        type="file"
        accept={accept}
        aria-describedby={hint ? `${field}h` : undefined}
        disabled={isSending}
        onChange={(event) => void choose(event.currentTarget)}
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

export function UploadPicture({ label, hint, onId }: UploadPictureProps) {
  const { id: business } = useBusiness();
  return (
    <Upload
      label={label}
      hint={hint ? `${hint} ${ui.say('picture.hint')}` : ui.say('picture.hint')}
      accept="image/png,image/jpeg,image/webp,image/avif"
      send={async (image) => (await clientOf(business).call('POST /images', { body: { image } })).id}
      onId={onId}
    />
  );
}

export interface PicturesProps extends Omit<UploadPictureProps, 'onId'> {
  /** name of the property */
  readonly name: string;
  /** ids of the saved pictures, in order */
  readonly first: readonly string[];
  readonly errors?: readonly string[];
}

/** Any number of pictures. The form has a field for each: see `picturesIn`. */
export function Pictures({ name, label, hint, first, errors = [] }: PicturesProps) {
  const [ids, setIds] = useState(first);
  return (
    <div className="field">
      <UploadPicture
        label={label}
        hint={hint}
        onId={(id) => setIds((all) => [...all.filter((one) => one !== id), id])}
      />
      {errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
      <ul className="pictures plain-list">
        {ids.map((id, n) => (
          <li key={id}>
            <input type="hidden" name={`${name}.${id}`} value="on" />
            <Picture id={id} />
            <button type="button" className="plain" onClick={() => setIds((all) => all.filter((one) => one !== id))}>
              {ui.say('picture.remove', { n: n + 1 })}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the ids of the pictures that a form has for a property, in order. */
export const picturesIn = (typed: Readonly<Record<string, string | undefined>>, name: string): string[] =>
  Object.keys(typed)
    .filter((key) => key.startsWith(`${name}.`) && typed[key] !== undefined)
    .map((key) => key.slice(name.length + 1));
