/** The choice whether participants are notified, and an additional text. */
import type { ErrorsOf } from '../../changes/proposal-form.tsx';
import { Field } from '../../ui/field.tsx';
import { words } from './words.ts';

export function Notify({ errors }: { readonly errors: ErrorsOf }) {
  return (
    <>
      <label className="box">
        <input type="checkbox" name="tell" defaultChecked /> {words.say('tell')}
      </label>
      <Field label={words.say('message')} hint={words.say('message.hint')} errors={errors('message')}>
        <textarea name="message" rows={3} maxLength={5000} />
      </Field>
    </>
  );
}
