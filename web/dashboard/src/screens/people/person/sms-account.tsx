/** The customer's number for text messages. It is verified by a code, which only the owner of the phone receives. */
import { Refused } from 'rollcall-sdk';
import { useState, type FormEvent } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { NameSelect } from '../../../ui/name-select.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { readAgain, useCall } from '../../../app/calls.ts';
import { toast } from '../../../ui/toasts.tsx';
import { ui } from '../../../ui/words.ts';
import { useBusiness } from '../../../app/business.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

interface Sms {
  readonly phone_number: string;
  readonly country: string;
  readonly enabled: boolean;
}

export function SmsAccount({ person }: TabProps) {
  const { id } = person;
  const [doing, setDoing] = useState<'change' | 'verify' | null>(null);
  const has = person.sms_account !== null;
  const found = useCall('GET /customers/{id}/sms_account', { params: { id } }, { enabled: has });
  const close = (): void => setDoing(null);
  if (found.error && has) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data && has) return <Loading />;
  const account = has ? found.data : undefined;
  return (
    <>
      <p className="facts">
        {account ? (
          <>
            <strong>{account.full_number}</strong>
            <span className={account.verified ? 'tag good' : 'tag'}>
              {words.say(account.verified ? 'sms.verified' : 'sms.unverified')}
            </span>
            {account.enabled ? null : <span className="tag">{words.say('sms.off')}</span>}
          </>
        ) : (
          <span className="soft">{words.say('sms.none')}</span>
        )}
      </p>
      <div className="actions">
        <button type="button" className="second" onClick={() => setDoing('change')}>
          {words.say(account ? 'sms.change' : 'sms.add')}
        </button>
        {account && !account.verified && account.enabled ? (
          <button type="button" className="second" onClick={() => setDoing('verify')}>
            {words.say('sms.verify')}
          </button>
        ) : null}
      </div>
      {doing === 'change' ? <Change customer={id} {...(account && { account })} onClose={close} /> : null}
      {doing === 'verify' ? <Verify customer={id} onClose={close} /> : null}
    </>
  );
}

interface FormProps {
  readonly customer: number;
  readonly onClose: () => void;
}

function Change({ customer, account, onClose }: FormProps & { readonly account?: Sms }) {
  const { id: business, country: here } = useBusiness();
  const title = words.say(account ? 'sms.change' : 'sms.add');
  return (
    <ProposalForm
      title={title}
      onClose={onClose}
      proposal={({ phone_number = '', country = '', enabled }) => ({
        title,
        confirm: words.say('save'),
        done: words.say('sms.saved'),
        about: <p>{words.say('sms.about')}</p>,
        call: () =>
          clientOf(business).call('PUT /customers/{id}/sms_account', {
            params: { id: customer },
            body: { phone_number, country, enabled: enabled !== undefined },
          }),
      })}
    >
      {(errors) => (
        <>
          <Field label={words.say('sms.number')} errors={errors('phone_number')}>
            <input name="phone_number" type="tel" autoComplete="off" defaultValue={account?.phone_number} />
          </Field>
          <Field label={words.say('sms.country')} errors={errors('country')}>
            <NameSelect name="country" of="country" initial={account?.country ?? here} />
          </Field>
          <label className="box">
            <input type="checkbox" name="enabled" defaultChecked={account?.enabled ?? true} />{' '}
            {words.say('sms.enabled')}
          </label>
        </>
      )}
    </ProposalForm>
  );
}

function Verify({ customer, onClose }: FormProps) {
  const { id: business } = useBusiness();
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const send = async (code: string | null, done: string): Promise<boolean> => {
    setIsAsking(true);
    setWrong([]);
    try {
      await clientOf(business).call('POST /customers/{id}/sms_account/verify', {
        params: { id: customer },
        body: { verification_code: code },
      });
      toast({ text: done });
      readAgain();
      return true;
    } catch (error) {
      const problem = error instanceof Refused ? error.problem : null;
      setWrong(problem?.field_errors.verification_code ?? [problem?.message ?? ui.say('unreachable')]);
      return false;
    } finally {
      setIsAsking(false);
    }
  };
  const verify = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    if (await send(code, words.say('sms.verified.done'))) onClose();
  };
  return (
    <Dialog title={words.say('sms.verify')} onClose={onClose}>
      <form noValidate onSubmit={(event) => void verify(event)}>
        <Field label={words.say('sms.code')} hint={words.say('sms.code.hint')} errors={wrong}>
          <input name="code" inputMode="numeric" autoComplete="off" autoFocus />
        </Field>
        <div className="actions">
          <button type="submit" disabled={isAsking}>
            {words.say('sms.verify')}
          </button>
          <button
            type="button"
            className="second"
            disabled={isAsking}
            onClick={() => void send(null, words.say('sms.sent'))}
          >
            {words.say('sms.again')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
