/** The customer's consents, and the notices that they get. */
import { CalendarLinks } from '../../../calendars/links.tsx';
import { Channels, type Channel, type NoticeRow } from '../../../ui/channels.tsx';
import { clientOf } from '../../../app/client.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { nameOf } from '../../../app/customers.ts';
import { momentOf } from '../../../words/times.ts';
import { SmsAccount } from './sms-account.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { occasionIn } from '../../../notices/words.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Preferences({ person }: TabProps) {
  return (
    <>
      <h3>{words.say('marketing')}</h3>
      <Marketing person={person} />
      <h3>{words.say('sms')}</h3>
      <SmsAccount person={person} />
      <h3>{words.say('notices')}</h3>
      <Notices person={person} />
      <h3>{words.say('devices')}</h3>
      <Devices person={person} />
      <h3>{words.say('calendar')}</h3>
      <Calendar person={person} />
      <h3>{words.say('consents')}</h3>
      <Consents person={person} />
    </>
  );
}

/** The customer's bookings as a calendar feed for their phone. */
function Calendar({ person }: TabProps) {
  const { id: business } = useBusiness();
  const params = { id: person.id };
  return (
    <CalendarLinks
      name={nameOf(person)}
      found={useCall('GET /customers/{id}/icalendar_links', { params })}
      reset={() => clientOf(business).call('POST /customers/{id}/icalendar_links/reset', { params, body: {} })}
    />
  );
}

function Marketing({ person }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { id } = person;
  const turn = (name: 'is_opted_into_broadcast_messages' | 'is_opted_into_sms_marketing', on: boolean): void =>
    void propose({
      title: words.say(on ? 'agree' : 'disagree', { what: words.say(name) }),
      confirm: words.say('save'),
      call: () => clientOf(business).call('PATCH /customers/{id}', { params: { id }, body: { [name]: on } }),
      done: words.say('preferences.saved'),
    });
  return (['is_opted_into_broadcast_messages', 'is_opted_into_sms_marketing'] as const).map((name) => (
    <label key={name} className="box">
      <input type="checkbox" checked={person[name] ?? false} onChange={(event) => turn(name, event.target.checked)} />{' '}
      {words.say(name)}
    </label>
  ));
}

function Notices({ person: { id } }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const all = useCall('GET /customers/{id}/notification_preferences', { params: { id }, query: { page_size: 100 } });
  if (all.error) return <Failed error={all.error} again={() => void all.refetch()} />;
  if (!all.data) return <Loading />;
  const { results } = all.data;
  const turn = ({ type, description: what }: NoticeRow, channel: Channel, on: boolean): void => {
    const preference = results.find((one) => one.type === type)!;
    void propose({
      title: words.say(on ? 'agree' : 'disagree', { what }),
      confirm: words.say('save'),
      call: () =>
        clientOf(business).call('PATCH /customers/{id}/notification_preferences/{notification_preference_id}', {
          params: { id, notification_preference_id: String(preference.id) },
          body: channel === 'email' ? { email_enabled: on } : { sms_enabled: on },
        }),
      done: words.say('preferences.saved'),
    }).then((outcome) => outcome.made && void all.refetch());
  };
  return (
    <Channels
      heading={words.say('notice')}
      channels={{ email: words.say('channel.email'), sms: words.say('channel.sms') }}
      onTurn={turn}
      rows={results.map(({ type, description, capabilities, toggleability, email_enabled, sms_enabled }) => ({
        type,
        description: occasionIn(type, description),
        on: {
          email: capabilities.email ? { is: email_enabled, isFixed: !toggleability.email } : null,
          sms: capabilities.sms ? { is: sms_enabled, isFixed: !toggleability.sms } : null,
        },
      }))}
    />
  );
}

/** The devices that get push notifications. Only the customer can turn them on. */
function Devices({ person }: TabProps) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const list = usePages('GET /push_notification_tokens', {
    query: { customer: person.id, page_size: 20 },
    fields: ['id', 'name', 'enabled', 'created_at'],
  });
  const turnOff = (id: number, device: string): void =>
    void propose({
      title: words.say('device.off.title', { device }),
      confirm: words.say('device.off'),
      grave: true,
      call: () => clientOf(business).call('DELETE /push_notification_tokens/{id}', { params: { id } }),
      done: words.say('device.off.done', { device }),
    });
  return (
    <Listed list={list} none={words.say('devices.none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, name, enabled, created_at }) => {
            const device = name ?? words.say('device.unnamed');
            return (
              <li key={id}>
                <span>
                  <strong>{device}</strong>{' '}
                  <span className="soft">{words.say('device.since', { when: momentOf(created_at, timezone) })}</span>{' '}
                  {enabled ? null : <span className="tag">{words.say('device.paused')}</span>}
                </span>
                <button
                  type="button"
                  className="second"
                  aria-label={`${words.say('device.off')}: ${device}`}
                  onClick={() => turnOff(id, device)}
                >
                  {words.say('device.off')}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </Listed>
  );
}

function Consents({ person }: TabProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /terms_consents', {
    query: { customer: person.id, sort: ['-id'], page_size: 20 },
    fields: ['id', 'version', 'how', 'agreed_at', 'membership_terms.membership.name', 'by_staff.name'],
  });
  return (
    <Listed list={list} none={words.say('consents.none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, version, how, agreed_at, membership_terms, by_staff }) => (
            <li key={id}>
              <strong>{words.say('consent', { name: membership_terms?.membership?.name ?? '', version })}</strong>
              <span className="soft">
                {momentOf(agreed_at, timezone)} · {words.say(`how.${how}`)}
                {by_staff ? ` · ${by_staff.name}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
