/** One cash drawer: closed, or open with its movements. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf, momentOf, timeOf } from '../../words/times.ts';
import { CloseSession, MoveCash, OpenSession } from './drawer-forms.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { nameOf } from '../../app/customers.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';
import type { DeskRead, OpenSession as Session } from './desks.ts';

export interface DrawerProps {
  readonly drawer: DeskRead;
  /** absent if it is closed */
  readonly session: Session | undefined;
}

type Doing = 'open' | 'pay_in' | 'pay_out' | 'close';

export function Drawer({ drawer, session }: DrawerProps) {
  const business = useBusiness();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [shown, setShown] = useState(false);
  const close = (): void => setDoing(null);
  const { name } = drawer;
  return (
    <div className="card" role="group" aria-label={name}>
      <h2>
        {name}{' '}
        <span className={session ? 'tag good' : 'tag'}>{words.say(session ? 'drawer.open' : 'drawer.closed')}</span>
      </h2>
      {session ? (
        <dl>
          <dt>{words.say('session.opened')}</dt>
          <dd>
            {momentOf(session.opened_at, business.timezone)}
            {session.opened_by ? <span className="soft"> {nameOf(session.opened_by)}</span> : null}
          </dd>
          <dt>{words.say('session.float')}</dt>
          <dd>{amountOf(session.opening_float)}</dd>
          {session.expected_amount ? (
            <>
              <dt>{words.say('session.expected')}</dt>
              <dd>
                {amountOf(session.expected_amount)}
                {may(business, 'revenue') ? <Explained session={session.id} /> : null}
              </dd>
            </>
          ) : null}
        </dl>
      ) : (
        <p>{words.say('drawer.closed.next')}</p>
      )}
      <div className="actions">
        {session ? (
          <>
            <button type="button" onClick={() => setDoing('close')}>
              {words.say('session.close')}
            </button>
            <button type="button" className="second" onClick={() => setDoing('pay_in')}>
              {words.say('session.pay_in')}
            </button>
            <button type="button" className="second" onClick={() => setDoing('pay_out')}>
              {words.say('session.pay_out')}
            </button>
            <button type="button" className="plain" aria-expanded={shown} onClick={() => setShown(!shown)}>
              {words.say('session.movements')}
            </button>
            <Link
              to={`/${business.id}/counter` as string}
              search={{ tab: 'sales', cash_session: String(session.id) } as never}
            >
              {words.say('session.sales')}
            </Link>
          </>
        ) : (
          <button type="button" onClick={() => setDoing('open')}>
            {words.say('session.open')}
          </button>
        )}
      </div>
      {session && shown ? <Movements session={session.id} /> : null}
      {doing === 'open' ? <OpenSession drawer={drawer} onClose={close} /> : null}
      {session && doing === 'close' ? <CloseSession drawer={drawer} session={session.id} onClose={close} /> : null}
      {session && (doing === 'pay_in' || doing === 'pay_out') ? (
        <MoveCash kind={doing} drawer={drawer} session={session.id} onClose={close} />
      ) : null}
    </div>
  );
}

/** Explains the expected amount. */
function Explained({ session }: { readonly session: number }) {
  const { data } = useCall('GET /counter/cash_sessions/{id}/explain', { params: { id: session } });
  return data ? <span className="soft small counter-explained">{data.text}</span> : null;
}

export function Movements({ session }: { readonly session: number }) {
  const { timezone } = useBusiness();
  const list = usePages('GET /counter/cash_movements', {
    query: { cash_session: [session], page_size: 50 },
    fields: ['id', 'kind', 'amount', 'reason', 'created_at', 'staff.first_name', 'staff.last_name'],
  });
  return (
    <Listed list={list} none={words.say('movements.none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, kind, amount, reason, created_at, staff }) => (
            <li key={id}>
              <span>{timeOf(created_at, timezone)}</span>
              <span>{words.say(`movement.${kind}`)}</span>
              <span className="soft">{[reason, staff && nameOf(staff)].filter(Boolean).join(' · ')}</span>
              <span className="end">
                {kind === 'refund' || kind === 'paid_out' ? '−' : ''}
                {amountOf(amount)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
