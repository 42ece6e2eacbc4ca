/** Verifies through DNS that a host name belongs to the business. The check has no other effect. */
import { Refused } from 'rollcall-sdk';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { readAgain, useCall } from '../../app/calls.ts';
import { toast } from '../../ui/toasts.tsx';
import { ui } from '../../ui/words.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

export function Domain() {
  const { id } = useBusiness();
  const [wrong, setWrong] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { data } = useCall('GET /providers/{id}', {
    params: { id },
    fields: ['booking_site.domain', 'domain_verification'],
  });
  if (!data?.booking_site.domain || !data.domain_verification) return null;
  const { is_verified, record_name, record } = data.domain_verification;
  const verify = async (): Promise<void> => {
    setIsAsking(true);
    setWrong(null);
    try {
      await clientOf(id).call('POST /domains/verify');
      toast({ text: words.say('domain.verified') });
      readAgain();
    } catch (error) {
      setWrong(error instanceof Refused ? error.problem.message : ui.say('unreachable'));
    }
    setIsAsking(false);
  };
  return (
    <section className="card setting-form" aria-labelledby="domain">
      <h2 id="domain">{data.booking_site.domain}</h2>
      {is_verified ? (
        <p>{words.say('domain.verified')}</p>
      ) : (
        <>
          <p>{words.say('domain.how')}</p>
          <dl className="keys">
            <div>
              <dt>{words.say('domain.record')}</dt>
              <dd>
                <code>{record_name}</code>
              </dd>
            </div>
            <div>
              <dt>{words.say('domain.value')}</dt>
              <dd>
                <code>{record}</code>
              </dd>
            </div>
          </dl>
          {wrong ? (
            <p className="notice wrong" role="alert">
              {wrong}
            </p>
          ) : null}
          <div className="actions">
            <button type="button" disabled={isAsking} onClick={() => void verify()}>
              {words.say('domain.verify')}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
