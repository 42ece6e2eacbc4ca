/** The customer's email address, and the links with which they log in. */
import { Refused } from 'rollcall-sdk';
import { useState, type FormEvent } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { readAgain } from '../../../app/calls.ts';
import { toast } from '../../../ui/toasts.tsx';
import { ui } from '../../../ui/words.ts';
import { usePropose } from '../../../changes/change.tsx';
import { useBusiness } from '../../../app/business.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

const textOf = (error: unknown): string => (error instanceof Refused ? error.problem.message : ui.say('unreachable'));

export function Access({ person: { id, email: address, invitation_url: invitation } }: TabProps) {
  // Hidden from staff who don't look after customers.
  const email = address ?? '';
  const { id: business } = useBusiness();
  const [changing, setChanging] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const hasAccount = email !== '' && invitation === null;
  const send = async (): Promise<void> => {
    setIsAsking(true);
    try {
      const client = clientOf(business);
      if (hasAccount) await client.call('POST /customers/{id}/change_password', { params: { id }, body: {} });
      else await client.call('POST /customers/{id}/resend_email_confirmation', { params: { id } });
      toast({ text: words.say(hasAccount ? 'access.password.sent' : 'access.again.sent') });
    } catch (error) {
      toast({ text: textOf(error), wrong: true });
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <div className="card">
      <h3>{words.say('access')}</h3>
      <p>{words.say(hasAccount ? 'access.account' : email === '' ? 'access.no_email' : 'access.none')}</p>
      <div className="actions">
        {hasAccount ? null : (
          <button type="button" className="second" onClick={() => setChanging(true)}>
            {words.say(email === '' ? 'access.add' : 'access.change')}
          </button>
        )}
        {email === '' ? null : (
          <button type="button" className="second" disabled={isAsking} onClick={() => void send()}>
            {words.say(hasAccount ? 'access.password' : 'access.again')}
          </button>
        )}
      </div>
      {changing ? <ChangeEmail id={id} email={email} onClose={() => setChanging(false)} /> : null}
      <EntryCode customer={id} />
    </div>
  );
}

/** The code on the customer's pass, which staff replace if others know it or the phone is lost. */
function EntryCode({ customer }: { readonly customer: number }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [code, setCode] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    try {
      setCode((await clientOf(business).call('GET /customers/{id}/entry_code', { params: { id: customer } })).code);
    } catch (error) {
      toast({ text: textOf(error), wrong: true });
    }
  };
  const replace = async (): Promise<void> => {
    const { made } = await propose({
      title: words.say('entry_code.replace'),
      done: words.say('entry_code.replaced'),
      call: () =>
        clientOf(business).call('POST /customers/{id}/entry_code/reset', { params: { id: customer }, body: {} }),
    });
    if (made) await show();
  };
  return (
    <>
      <h3>{words.say('entry_code')}</h3>
      {code === null ? null : (
        <p>
          <strong>{code}</strong>
        </p>
      )}
      <div className="actions">
        {code === null ? (
          <button type="button" className="second" onClick={() => void show()}>
            {words.say('entry_code.show')}
          </button>
        ) : null}
        <button type="button" className="second" onClick={() => void replace()}>
          {words.say('entry_code.replace')}
        </button>
      </div>
    </>
  );
}

interface ChangeProps {
  readonly id: number;
  readonly email: string;
  readonly onClose: () => void;
}

function ChangeEmail({ id, email, onClose }: ChangeProps) {
  const { id: business } = useBusiness();
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const change = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const next = String(new FormData(event.currentTarget).get('email')).trim();
    setIsAsking(true);
    setWrong([]);
    try {
      await clientOf(business).call('POST /customers/{id}/change_email', { params: { id }, body: { email: next } });
      toast({ text: words.say('access.changed') });
      readAgain();
      onClose();
    } catch (error) {
      setWrong([textOf(error)]);
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <Dialog title={words.say(email === '' ? 'access.add' : 'access.change')} onClose={onClose}>
      <form noValidate onSubmit={(event) => void change(event)}>
        <Field label={words.say('detail.email')} errors={wrong}>
          <input name="email" type="email" autoComplete="off" defaultValue={email} autoFocus />
        </Field>
        <div className="actions">
          <button type="submit" disabled={isAsking}>
            {words.say('save')}
          </button>
          <button type="button" className="second" onClick={onClose}>
            {ui.say('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
