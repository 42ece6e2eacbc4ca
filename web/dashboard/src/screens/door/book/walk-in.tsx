/** A first-time customer: a name, and an address if they give one. */
import { useState, type FormEvent } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { ui } from '../../../ui/words.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from '../words.ts';
import type { Someone } from './book.tsx';

export interface WalkInProps {
  readonly onMade: (someone: Someone) => void;
  readonly onBack: () => void;
}

const FIELDS = { first_name: 'given-name', last_name: 'family-name', email: 'email' } as const;
type Name = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Name[];

export function WalkIn({ onMade, onBack }: WalkInProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [values, setValues] = useState<Record<Name, string>>({ first_name: '', last_name: '', email: '' });
  const [wrong, setWrong] = useState<Readonly<Record<string, readonly string[]>>>({});
  const submit = async (sent: FormEvent): Promise<void> => {
    sent.preventDefault();
    const { email, ...names } = values;
    const label = `${names.first_name} ${names.last_name}`.trim();
    const outcome = await propose({
      title: words.say('walk_in.of', { name: label }),
      call: () =>
        clientOf(business).call('POST /customers', {
          body: { ...names, ...(email.trim() !== '' && { email: email.trim() }) },
          fields: ['id'],
        }),
      done: words.say('walk_in.done', { name: label }),
    });
    if (outcome.made) onMade({ id: outcome.answer.id, label });
    else setWrong(outcome.problem?.field_errors ?? {});
  };
  return (
    <form onSubmit={(sent) => void submit(sent)} noValidate>
      {NAMES.map((name, i) => (
        <Field key={name} label={words.say(`walk_in.${name}`)} errors={wrong[name]}>
          <input
            type={name === 'email' ? 'email' : 'text'}
            autoComplete="off"
            autoFocus={i === 0}
            value={values[name]}
            onChange={({ target }) => setValues((now) => ({ ...now, [name]: target.value }))}
          />
        </Field>
      ))}
      <div className="actions">
        <button type="submit">{words.say('walk_in.next')}</button>
        <button type="button" className="second" onClick={onBack}>
          {ui.say('cancel')}
        </button>
      </div>
    </form>
  );
}
