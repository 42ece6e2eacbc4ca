/** Cash drawers: opened with a float, counted at the end, with all movements in between. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Closed } from './closed.tsx';
import { Drawer } from './drawer.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { NewDesk } from './new-desk.tsx';
import { useCall } from '../../app/calls.ts';
import { useDesks, useOpenSessions } from './desks.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export function Drawers() {
  const business = useBusiness();
  const { desks, error, refetch } = useDesks();
  const open = useOpenSessions();
  const [adding, setAdding] = useState<'drawer' | 'other' | null>(null);
  const failed = error ?? open.error;
  if (failed) return <Failed error={failed} again={() => void Promise.all([refetch(), open.refetch()])} />;
  if (!desks || !open.data) return <Loading />;
  const drawers = desks.filter(({ is_cash_drawer }) => is_cash_drawer);
  const isAdmin = may(business, 'super_admin');
  return (
    <>
      {drawers.length === 0 ? (
        <Empty title={words.say('drawer.none')}>
          <p>{words.say(isAdmin ? 'drawer.none.next' : 'no_desk.ask')}</p>
        </Empty>
      ) : null}
      <div className="counter-drawers">
        {drawers.map((drawer) => (
          <Drawer
            key={drawer.id}
            drawer={drawer}
            session={open.data.results.find(({ payment_processor }) => payment_processor === drawer.id)}
          />
        ))}
      </div>
      {isAdmin ? (
        <>
          <div className="actions">
            {(['drawer', 'other'] as const).map((kind) => (
              <button key={kind} type="button" className="second" onClick={() => setAdding(kind)}>
                {words.say(`desk.${kind}`)}
              </button>
            ))}
          </div>
          <Required />
        </>
      ) : null}
      {drawers.length > 0 ? (
        <>
          <h2>{words.say('closed')}</h2>
          <Closed />
        </>
      ) : null}
      {adding ? <NewDesk kind={adding} onClose={() => setAdding(null)} /> : null}
    </>
  );
}

/** The setting whether cash needs an open session of its drawer. */
function Required() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { data } = useCall('GET /counter_settings', {});
  if (!data) return null;
  const { cash_sessions_required: required } = data;
  return (
    <label className="box">
      <input
        type="checkbox"
        checked={required}
        onChange={() =>
          void propose({
            title: words.say(required ? 'required.off' : 'required.on'),
            done: words.say('required.done'),
            call: () =>
              clientOf(business).call('PATCH /counter_settings', { body: { cash_sessions_required: !required } }),
          })
        }
      />{' '}
      {words.say('required')}
    </label>
  );
}
