/** The waivers that a customer signed or still has to sign, and the policies that they agreed to. */
import { clientOf } from '../../../app/client.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { keepAs } from '../../../app/files.ts';
import { dayOf } from '../../../words/times.ts';
import { SignLink } from '../../../person/sign-link.tsx';
import { useCall } from '../../../app/calls.ts';
import { useBusiness } from '../../../app/business.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Agreements({ person }: TabProps) {
  const { id: business, timezone } = useBusiness();
  const customer = [person.id];
  const open = useCall('GET /unsigned_waivers', { query: { customers: customer, page_size: 100 } });
  const signed = useCall('GET /waiver_agreements', { query: { customer, page_size: 100 } });
  const agreed = useCall('GET /policy_agreements', {
    query: { customer, page_size: 100 },
    fields: ['id', 'agreed_at', 'policy.name'],
  });
  const all = [open, signed, agreed];
  const error = all.find((one) => one.error)?.error;
  if (error) return <Failed error={error} again={() => void Promise.all(all.map((one) => one.refetch()))} />;
  if (!open.data || !signed.data || !agreed.data) return <Loading />;
  const none = open.data.results.length + signed.data.results.length + agreed.data.results.length === 0;
  return (
    <>
      {none ? <p className="soft">{words.say('agreements.none')}</p> : null}
      <ul className="rows">
        {open.data.results.map(({ waiver }) => (
          <li key={`open-${waiver.id}`}>
            <span>
              {waiver.name} <span className="tag wrong">{words.say('agreements.unsigned')}</span>
            </span>
          </li>
        ))}
        {signed.data.results.map(({ id, title, signed_at, signer_name }) => (
          <li key={`signed-${id}`}>
            <span>
              {title}
              <span className="soft small" style={{ display: 'block' }}>
                {words.say('agreements.signed', { day: dayOf(signed_at, timezone), name: signer_name })}
              </span>
            </span>
            <span className="end">
              <button
                type="button"
                className="plain"
                aria-label={words.say('agreements.download_of', { name: title })}
                onClick={() =>
                  void keepAs(
                    clientOf(business).call('GET /waiver_agreements/{id}/download', { params: { id } }),
                    `waiver-${id}.pdf`,
                  )
                }
              >
                {words.say('agreements.download')}
              </button>
            </span>
          </li>
        ))}
        {agreed.data.results.map(({ id, policy, agreed_at }) => (
          <li key={`agreed-${id}`}>
            <span>{policy?.name}</span>
            <span className="end soft">{words.say('agreements.agreed', { day: dayOf(agreed_at, timezone) })}</span>
          </li>
        ))}
      </ul>
      {open.data.results.length > 0 ? <SignLink customer={person.id} /> : null}
    </>
  );
}
