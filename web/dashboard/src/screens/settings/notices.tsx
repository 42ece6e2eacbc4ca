/** Which notices the business sends, and on which channels. */
import { Failed, Loading } from '../../ui/states.tsx';
import { clientOf } from '../../app/client.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { ui } from '../../ui/words.ts';
import { words } from './words.ts';

const CHANNELS = ['email', 'sms'] as const;
type Channel = (typeof CHANNELS)[number];

export function Notices() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const all = useCall('GET /communication/notification_types', { query: { page_size: 100 } });
  const turn = (type: string, what: string, channel: Channel, on: boolean): void =>
    void propose({
      title: words.say(on ? 'notice.on' : 'notice.off', { what, channel: words.say(`channel.${channel}`) }),
      confirm: ui.say('save'),
      done: words.say('saved', { what }),
      call: () =>
        clientOf(business).call('PATCH /communication/notification_types/{type}', {
          params: { type: type as never },
          body: channel === 'email' ? { email_enabled: on } : { sms_enabled: on },
        }),
    });
  return (
    <section className="setting-form" aria-labelledby="notices">
      <h2 id="notices">{words.say('form.notices')}</h2>
      {all.error ? <Failed error={all.error} again={() => void all.refetch()} /> : null}
      {!all.data && !all.error ? <Loading /> : null}
      {all.data ? (
        <div className="setting-table" tabIndex={0} role="group" aria-labelledby="notices">
          <table>
            <thead>
              <tr>
                <th scope="col">{words.say('notice')}</th>
                {CHANNELS.map((channel) => (
                  <th key={channel} scope="col">
                    {words.say(`channel.${channel}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {all.data.results.map((one) => (
                <tr key={one.type}>
                  <th scope="row">{one.description}</th>
                  {CHANNELS.map((channel) => {
                    const is = channel === 'email' ? one.email_enabled : one.sms_enabled;
                    return (
                      <td key={channel} className="tick">
                        {is === null ? (
                          <span className="soft">–</span>
                        ) : (
                          <input
                            type="checkbox"
                            aria-label={`${one.description}: ${words.say(`channel.${channel}`)}`}
                            checked={is}
                            onChange={({ target }) => turn(one.type, one.description, channel, target.checked)}
                          />
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}
