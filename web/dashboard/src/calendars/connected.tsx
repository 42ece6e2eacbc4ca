/** External calendars, whose events block bookings: connecting them, their use, and the state of reading them. */
import { useState } from 'react';
import type { AnswerOf } from 'rollcall-sdk';
import { clientOf } from '../app/client.ts';
import { Connect } from './connect.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Listed, None } from '../ui/listed.tsx';
import { momentOf } from '../words/times.ts';
import { OutsideEvents } from './outside-events.tsx';
import { RowButton } from '../ui/row-button.tsx';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { usePages } from '../app/pages.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';

export interface ConnectedProps {
  /** id of the owner; absent: the calendars of everybody that the person may see */
  readonly of?: number;
}

type Setting = AnswerOf<'GET /external_calendars/staff_calendar_settings', never, never>['results'][number];

export function Connected({ of }: ConnectedProps) {
  const [connecting, setConnecting] = useState(false);
  const [shown, setShown] = useState(false);
  const list = usePages('GET /external_calendars/accounts', {
    query: { page_size: 100 },
    fields: ['id', 'username', 'staff.id', 'staff.name'],
  });
  const settings = useCall('GET /external_calendars/staff_calendar_settings', { query: { page_size: 100 } });
  return (
    <>
      <Listed list={list} none={words.say('none')} next={[]}>
        {(all) => {
          const mine = all.filter(({ staff }) => of === undefined || staff?.id === of);
          if (mine.length === 0) return <None text={words.say('none')} />;
          return (
            <ul className="rows" aria-label={words.say('connected')}>
              {mine.map(({ id, username, staff }) => (
                <li key={id}>
                  <strong>{username}</strong>
                  {of === undefined && staff ? <span className="soft">{staff.name}</span> : null}
                  {settings.data ? (
                    <Account
                      id={id}
                      name={username}
                      setting={settings.data.results.find((one) => one.calendar_source_account?.id === id)}
                    />
                  ) : null}
                </li>
              ))}
            </ul>
          );
        }}
      </Listed>
      {settings.error ? <Failed error={settings.error} again={() => void settings.refetch()} /> : null}
      <div className="actions">
        <button type="button" className="second" onClick={() => setConnecting(true)}>
          {words.say('connect')}
        </button>
        <button type="button" className="second" onClick={() => setShown(true)}>
          {words.say('events')}
        </button>
      </div>
      {connecting ? <Connect {...(of !== undefined && { of })} onClose={() => setConnecting(false)} /> : null}
      {shown ? <OutsideEvents onClose={() => setShown(false)} /> : null}
    </>
  );
}

interface AccountProps {
  readonly id: number;
  readonly name: string;
  /** absent: the calendar is not used for anything */
  readonly setting: Setting | undefined;
}

/** Shows the state of reading a calendar, and its use. */
function Account({ id, name, setting }: AccountProps) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const client = clientOf(business);
  const { data, error, refetch } = useCall('GET /external_calendars/accounts/{id}/calendars', { params: { id } });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  const [calendar] = data?.results ?? [];
  if (!calendar) return <Loading />;
  const isUsed = setting?.is_source_for_busy_periods ?? false;
  const use = (on: boolean): void =>
    void propose({
      title: words.say(on ? 'busy.on' : 'busy.off', { name }),
      done: words.say('saved'),
      call: () =>
        setting === undefined
          ? client.call('POST /external_calendars/staff_calendar_settings', {
              body: {
                calendar_source_account: id,
                is_source_for_busy_periods: on,
                is_destination_for_service_events: false,
              },
            })
          : client.call('PATCH /external_calendars/staff_calendar_settings/{id}', {
              params: { id: setting.id },
              body: { is_source_for_busy_periods: on },
            }),
    });
  const count = (setting: Setting, onlyBusy: boolean): void =>
    void propose({
      title: words.say(onlyBusy ? 'free.off' : 'free.on', { name }),
      done: words.say('saved'),
      call: () =>
        client.call('PATCH /external_calendars/staff_calendar_settings/{id}', {
          params: { id: setting.id },
          body: { constrain_only_busy: onlyBusy },
        }),
    });
  const forget = (setting: Setting): void =>
    void propose({
      title: words.say('unused.of', { name }),
      confirm: words.say('unused'),
      done: words.say('saved'),
      call: () =>
        client.call('DELETE /external_calendars/staff_calendar_settings/{id}', { params: { id: setting.id } }),
    });
  const disconnect = (): void =>
    void propose({
      title: words.say('disconnect.of', { name }),
      confirm: words.say('disconnect'),
      about: <p>{words.say('disconnect.about')}</p>,
      done: words.say('disconnected'),
      grave: true,
      call: () => client.call('DELETE /external_calendars/accounts/{id}', { params: { id } }),
    });
  return (
    <>
      <span className={calendar.last_error ? 'tag wrong' : calendar.calendar_ready ? 'tag good' : 'tag'}>
        {words.say(calendar.last_error ? 'unread' : calendar.calendar_ready ? 'read' : 'waiting')}
      </span>
      {calendar.last_read_at ? (
        <span className="soft small">
          {words.say('read.at', { moment: momentOf(calendar.last_read_at, timezone) })}
        </span>
      ) : null}
      <label className="box">
        <input type="checkbox" checked={isUsed} onChange={({ target }) => use(target.checked)} /> {words.say('busy')}
      </label>
      {setting && isUsed ? (
        <label className="box">
          <input
            type="checkbox"
            checked={!setting.constrain_only_busy}
            onChange={({ target }) => count(setting, !target.checked)}
          />{' '}
          {words.say('free')}
        </label>
      ) : null}
      {setting && !isUsed ? (
        <RowButton text={words.say('unused')} about={name} onClick={() => forget(setting)} />
      ) : null}
      <RowButton text={words.say('disconnect')} about={name} onClick={disconnect} />
      {calendar.last_error ? <p className="whole error small">{calendar.last_error}</p> : null}
      {calendar.warnings.length > 0 ? (
        <details className="whole small">
          <summary>{words.say('warnings', { n: calendar.warnings.length })}</summary>
          <ul>
            {calendar.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {calendar.is_active ? null : <p className="whole error small">{words.say('inactive')}</p>}
    </>
  );
}
