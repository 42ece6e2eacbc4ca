/** The link on which a customer signs waivers: on this device, or on their own phone. */
import { useState } from 'react';
import { clientOf } from '../app/client.ts';
import { Copy } from '../ui/copy.tsx';
import { problemOf } from '../app/calls.ts';
import { toast } from '../ui/toasts.tsx';
import { ui } from '../ui/words.ts';
import { useBusiness } from '../app/business.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export function SignLink({ customer }: { readonly customer: number }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [url, setUrl] = useState<string | null>(null);
  const get = async (): Promise<void> => {
    try {
      setUrl((await clientOf(business).call('GET /customers/{id}/signing_link', { params: { id: customer } })).url);
    } catch (error) {
      toast({ text: problemOf(error)?.message ?? ui.say('unreachable'), wrong: true });
    }
  };
  const send = (): Promise<unknown> =>
    propose({
      title: words.say('sign.email.title'),
      confirm: words.say('sign.email'),
      done: words.say('sign.emailed'),
      call: () =>
        clientOf(business).call('POST /customers/{id}/send_signing_link', { params: { id: customer }, body: {} }),
    });
  if (url === null)
    return (
      <div className="actions">
        <button type="button" className="second" onClick={() => void get()}>
          {words.say('sign.get')}
        </button>
        <button type="button" className="second" onClick={() => void send()}>
          {words.say('sign.email')}
        </button>
      </div>
    );
  return (
    <>
      <p>
        <a className="button" href={url} target="_blank" rel="noreferrer">
          {words.say('sign.open')}
        </a>
      </p>
      <p>{words.say('sign.phone')}</p>
      <Copy text={url} label={words.say('sign.link')} />
    </>
  );
}
