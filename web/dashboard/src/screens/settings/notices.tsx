/** The choice of notices that the business sends, and of their channels. */
import { Failed, Loading } from '../../ui/states.tsx';
import { Channels, type Channel, type NoticeRow } from '../../ui/channels.tsx';
import { clientOf } from '../../app/client.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { ui } from '../../ui/words.ts';
import { occasionIn } from '../../notices/words.ts';
import { words } from './words.ts';

export function Notices() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const all = useCall('GET /communication/notification_types', { query: { page_size: 100 } });
  const turn = ({ type, description: what }: NoticeRow, channel: Channel, on: boolean): void =>
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
        <Channels
          heading={words.say('notice')}
          channels={{ email: words.say('channel.email'), sms: words.say('channel.sms') }}
          onTurn={turn}
          rows={all.data.results.map(({ type, description, email_enabled, sms_enabled }) => ({
            type,
            description: occasionIn(type, description),
            on: { email: { is: email_enabled }, sms: { is: sms_enabled } },
          }))}
        />
      ) : null}
    </section>
  );
}
