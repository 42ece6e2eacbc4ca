import { clientOf } from '../../app/client.ts';
import { Copy } from '../../ui/copy.tsx';
import { MAKER_NAMES, MAKERS, type MakerName } from './makers.ts';
import { MESSAGE_LIMIT } from '../../app/message-limit.ts';
import { serviceAddress } from '../../app/session.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export function Connect() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { data: applications } = useCall('GET /applications', {
    query: { page_size: 100 },
    fields: ['domain', 'client_id', 'is_assistant'],
  });
  const clientIdOf = (domain: string): string | undefined =>
    applications?.results.find((one) => one.is_assistant && one.domain === domain)?.client_id;
  const register = (maker: MakerName): void => {
    const { name, domain, callbacks } = MAKERS[maker];
    void propose({
      title: words.say('client.get', { assistant: name }),
      done: words.say('client.made', { assistant: name }),
      call: () =>
        clientOf(business).call('POST /applications', {
          body: {
            name,
            domain,
            is_public: true,
            is_assistant: true,
            daily_message_limit: MESSAGE_LIMIT,
            scopes: ['read', 'read_write'],
            allowed_callback_urls: [...callbacks],
          },
        }),
    });
  };
  return (
    <section aria-labelledby="connect-assistant">
      <h2 id="connect-assistant">{words.say('connect')}</h2>
      <p>{words.say('address.about')}</p>
      <h3>{words.say('address')}</h3>
      <Copy text={`${serviceAddress()}/mcp`} label={words.say('address')} />
      <h3>{words.say('address.read')}</h3>
      <Copy text={`${serviceAddress()}/mcp/read`} label={words.say('address.read')} />
      {MAKER_NAMES.map((maker) => {
        const { name, domain } = MAKERS[maker];
        const id = clientIdOf(domain);
        return (
          <div key={maker}>
            <h3>{name}</h3>
            <p>{words.say(`maker.${maker}`)}</p>
            {applications === undefined ? null : id === undefined ? (
              <button type="button" className="second" onClick={() => register(maker)}>
                {words.say('client.get', { assistant: name })}
              </button>
            ) : (
              <Copy text={id} label={words.say('client', { assistant: name })} />
            )}
          </div>
        );
      })}
      <p>{words.say('limits', { n: MESSAGE_LIMIT })}</p>
      <p>{words.say('other')}</p>
      <p>
        <a href="/docs/guide/assistants">{words.say('guide')}</a>
      </p>
    </section>
  );
}
