/** The customer's memberships: remaining uses, the next event in their life, and the actions of staff. */
import { useState } from 'react';
import { calendarDayOf } from '../../../words/times.ts';
import { Give } from '../../../memberships/give.tsx';
import { Hold } from '../../../memberships/hold.tsx';
import { Reactivate } from '../../../memberships/reactivate.tsx';
import { Successor } from '../../../memberships/successor.tsx';
import { Extend, Share, CancelMembership } from './membership-changes.tsx';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { nameOf } from '../../../app/customers.ts';
import { words as ofMemberships } from '../../../memberships/words.ts';
import { clientOf } from '../../../app/client.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { Usage } from './usage.tsx';
import { words } from './words.ts';
import type { ItemOf } from 'rollcall-sdk';
import type { TabProps } from './person.ts';

const FIELDS = [
  'id',
  'name',
  'status',
  'start_date',
  'expiration_date',
  'renewal_date',
  'next_billing_date',
  'is_set_for_cancellation',
  'usage_summary',
  'customer.id',
  'shared_with.id',
  'shared_with.first_name',
  'shared_with.last_name',
  'active_hold.id',
  'active_hold.status',
  'active_hold.start_date',
  'active_hold.end_date',
] as const;

export type Owned = ItemOf<'GET /customer_memberships', (typeof FIELDS)[number]>;

type Own = 'hold' | 'extend' | 'share' | 'cancel';
type Shared = 'upgrade' | 'downgrade' | 'reactivate';
type Doing = Own | Shared | 'usage';

const SHARED: ReadonlySet<string> = new Set(['upgrade', 'downgrade', 'reactivate']);
const isShared = (doing: Own | Shared): doing is Shared => SHARED.has(doing);
const labelOf = (doing: Own | Shared): string =>
  isShared(doing) ? ofMemberships.say(`do.${doing}`) : words.say(`do.${doing}`);

export function Memberships({ person }: TabProps) {
  const [isGiving, setIsGiving] = useState(false);
  const list = usePages('GET /customer_memberships', {
    query: { owned_or_shared_with_customer: person.id, sort: ['-start_date', '-id'], page_size: 20 },
    fields: FIELDS,
  });
  const next: readonly NextStep[] = [
    { label: ofMemberships.say('do.give'), needs: ['customers'], second: true, act: () => setIsGiving(true) },
  ];
  return (
    <>
      <Listed list={list} none={words.say('memberships.none')} next={next}>
        {(all) => all.map((one) => <Membership key={one.id} one={one} person={person} />)}
      </Listed>
      <div className="actions">
        <NextSteps list={list} next={next} />
      </div>
      {isGiving ? (
        <Give customer={{ id: person.id, label: nameOf(person) }} onClose={() => setIsGiving(false)} />
      ) : null}
    </>
  );
}

function Membership({ one, person }: TabProps & { readonly one: Owned }) {
  const business = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { id, name, status, active_hold: hold, expiration_date, usage_summary } = one;
  const close = (): void => setDoing(null);
  const isOpen = status === 'active' || status === 'hold';
  const endHold = (): void =>
    void propose({
      title: words.say('hold.end.title', { name }),
      confirm: words.say('hold.end'),
      call: () =>
        clientOf(business.id).call('POST /customer_membership_holds/{id}/end', { params: { id: hold!.id }, body: {} }),
      done: words.say('hold.ended', { name }),
    });
  const ends = one.is_set_for_cancellation;
  const actions: readonly (Own | Shared)[] = isOpen
    ? [
        ...(status === 'active' && !hold ? (['hold'] as const) : []),
        ...(expiration_date !== null ? (['extend'] as const) : []),
        ...(one.customer?.id === person.id ? (['share', 'upgrade'] as const) : []),
        ...(one.customer?.id === person.id && !ends ? (['downgrade'] as const) : []),
        ...(ends ? (['reactivate'] as const) : (['cancel'] as const)),
      ]
    : ['reactivate'];
  return (
    <div className="card" role="group" aria-label={name}>
      <h3>
        {name} <span className={status === 'active' ? 'tag good' : 'tag'}>{words.say(`membership.${status}`)}</span>
      </h3>
      <dl>
        {one.start_date ? (
          <>
            <dt>{words.say('membership.start')}</dt>
            <dd>{calendarDayOf(one.start_date)}</dd>
          </>
        ) : null}
        <dt>{words.say('membership.next')}</dt>
        <dd>{nextOf(one)}</dd>
        {hold ? (
          <>
            <dt>{words.say('membership.on_hold')}</dt>
            <dd>
              {hold.end_date
                ? words.say('hold.between', {
                    from: calendarDayOf(hold.start_date),
                    to: calendarDayOf(hold.end_date),
                  })
                : words.say('hold.from', { from: calendarDayOf(hold.start_date) })}
            </dd>
          </>
        ) : null}
        {isOpen && usage_summary.length > 0 ? (
          <>
            <dt>{words.say('membership.uses')}</dt>
            <dd>
              {usage_summary.map((period) => (
                <span key={period.period_type} style={{ display: 'block' }}>
                  {period.max_uses === null
                    ? words.say('uses.unlimited', { used: period.used_count })
                    : words.say('uses.left', { left: period.remaining_count ?? 0, all: period.max_uses })}
                </span>
              ))}
            </dd>
          </>
        ) : null}
        {one.shared_with.length > 0 ? (
          <>
            <dt>{words.say('membership.shared')}</dt>
            <dd>
              {one.shared_with.map((other) => `${other.first_name ?? ''} ${other.last_name ?? ''}`.trim()).join(', ')}
            </dd>
          </>
        ) : null}
      </dl>
      <div className="actions">
        {may(business, 'customers') ? (
          <>
            {actions.map((action) => (
              <button key={action} type="button" className="second" onClick={() => setDoing(action)}>
                {labelOf(action)}
              </button>
            ))}
            {isOpen && hold ? (
              <button type="button" className="second" onClick={endHold}>
                {words.say('hold.end')}
              </button>
            ) : null}
          </>
        ) : null}
        <button
          type="button"
          className="plain"
          aria-expanded={doing === 'usage'}
          onClick={() => setDoing(doing === 'usage' ? null : 'usage')}
        >
          {words.say('do.usage')}
        </button>
      </div>
      {doing === 'usage' ? <Usage id={id} person={person} /> : null}
      {doing === 'hold' ? <Hold one={one} onClose={close} /> : null}
      {doing === 'extend' ? <Extend one={one} onClose={close} /> : null}
      {doing === 'share' ? <Share one={one} onClose={close} /> : null}
      {doing === 'cancel' ? <CancelMembership one={one} onClose={close} /> : null}
      {doing === 'upgrade' || doing === 'downgrade' ? <Successor kind={doing} one={one} onClose={close} /> : null}
      {doing === 'reactivate' ? <Reactivate one={one} hasEnded={!isOpen} onClose={close} /> : null}
    </div>
  );
}

/** Returns what happens next with the membership if nothing changes. */
function nextOf({ status, is_set_for_cancellation, expiration_date, next_billing_date, renewal_date }: Owned): string {
  if (status === 'cancelled' || status === 'completed')
    return expiration_date ? words.say('next.ended', { day: calendarDayOf(expiration_date) }) : words.say('next.over');
  if (is_set_for_cancellation && expiration_date)
    return words.say('next.cancelled', { day: calendarDayOf(expiration_date) });
  if (next_billing_date) return words.say('next.billed', { day: calendarDayOf(next_billing_date) });
  if (renewal_date) return words.say('next.renewed', { day: calendarDayOf(renewal_date) });
  if (expiration_date) return words.say('next.ends', { day: calendarDayOf(expiration_date) });
  return words.say('next.nothing');
}
