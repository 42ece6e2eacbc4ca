/** One membership: its price, allotment, grants, terms and holders. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Allotment } from './allotment.tsx';
import { amountOf, calendarDayOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Grants } from './grants.tsx';
import { Holders } from './holders.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { MembershipForm } from './form.tsx';
import { PaymentPlans } from './payment-plans.tsx';
import { problemOf } from '../../../app/calls.ts';
import { State } from './list.tsx';
import { Terms } from './terms.tsx';
import { useMembership, type MembershipRead } from './read.ts';
import { usePropose } from '../../../changes/change.tsx';
import { labelsFrom, WhoChanged } from '../../../ui/history/index.tsx';
import { words } from '../words.ts';

const LABELS = labelsFrom(
  words,
  {
    name: 'name',
    description: 'description',
    category: 'category',
    duration: 'field.duration',
    duration_unit: 'field.duration_unit',
    start_date: 'field.start_date',
    expiration_date: 'field.last_day',
    max_holds_per_year: 'field.max_holds_per_year',
    max_hold_days_per_year: 'field.max_hold_days_per_year',
    min_allowed_age: 'field.min_allowed_age',
    max_allowed_age: 'field.max_allowed_age',
    for_sale: 'flag.for_sale',
    visible_to_customers: 'flag.visible_to_customers',
    purchasable_only_by_provider: 'flag.purchasable_only_by_provider',
    new_customers_only: 'flag.new_customers_only',
    allow_repeat_purchases: 'flag.allow_repeat_purchases',
    shareable: 'flag.shareable',
    customers_can_hold: 'flag.customers_can_hold',
    begin_on_first_registration: 'flag.begin_on_first_registration',
    use_prorate: 'flag.use_prorate',
  },
  { duration_unit: 'unit' },
);

export function Membership({ id }: { readonly id: number }) {
  const business = useBusiness();
  const { data, error, refetch } = useMembership(id);
  const [isEditing, setIsEditing] = useState(false);
  const back = (
    <Link to="." search={{ tab: 'plans' } as never}>
      {words.say('memberships.all')}
    </Link>
  );
  if (error && !data) {
    if (problemOf(error)?.code !== 'not_found') return <Failed error={error} again={() => void refetch()} />;
    return (
      <Empty title={words.say('membership.not_here')}>
        <p>{back}</p>
      </Empty>
    );
  }
  if (!data) return <Loading />;
  const { membership } = data;
  const sells = may(business, 'super_admin');
  const isRecurring = membership.type === 'recurring_plan';
  return (
    <>
      <p className="small">{back}</p>
      <h3>{membership.name}</h3>
      <p className="facts">
        {membership.display_price ? <strong>{amountOf(membership.display_price)}</strong> : null}
        <span className="tag">{words.say(`type.${membership.type}`)}</span>
        <span className="soft">{membership.category?.name}</span>
        <span>{words.say('holders', { n: membership.active_member_count })}</span>
        <State one={membership} />
      </p>
      {membership.description ? <p className="said">{membership.description}</p> : null}
      <TermOf membership={membership} />
      {membership.incomplete_reasons.length > 0 ? (
        <div className="notice">
          <p>{words.say('draft.why')}</p>
          <ul>
            {membership.incomplete_reasons.map((reason) => (
              <li key={reason}>{words.say(`draft.${reason}` as Parameters<typeof words.say>[0])}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {sells ? <Actions membership={membership} onEdit={() => setIsEditing(true)} /> : null}
      <Part title={words.say('allotment')}>
        <Allotment membership={membership} />
      </Part>
      {sells ? (
        <>
          <Part title={words.say('grants')}>
            <Grants membership={id} />
          </Part>
          {isRecurring ? (
            <Part title={words.say('plans')}>
              <PaymentPlans membership={id} />
            </Part>
          ) : null}
          <Part title={words.say('terms')}>
            <Terms membership={id} isRecurring={isRecurring} />
          </Part>
        </>
      ) : null}
      <Part title={words.say('holders.title')}>
        <Holders membership={membership} />
      </Part>
      <WhoChanged object="membership" id={id} labels={LABELS} />
      {isEditing ? <MembershipForm known={data} refetch={refetch} onClose={() => setIsEditing(false)} /> : null}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {children}
    </section>
  );
}

function TermOf({ membership: one }: { readonly membership: MembershipRead }) {
  const said = [
    one.begin_on_first_registration && words.say('term.first_use'),
    one.start_date && words.say('term.from', { day: calendarDayOf(one.start_date) }),
    one.duration !== null && words.say(`term.${one.duration_unit}`, { n: one.duration }),
    one.expiration_date && words.say('term.until', { day: calendarDayOf(one.expiration_date) }),
    one.new_customers_only && words.say('flag.new_customers_only'),
    one.purchasable_only_by_provider && words.say('flag.purchasable_only_by_provider'),
    one.shared_with_families && words.say('families.shared'),
  ].filter(Boolean);
  return said.length > 0 ? <p className="soft">{said.join(' · ')}</p> : null;
}

interface ActionsProps {
  readonly membership: MembershipRead;
  readonly onEdit: () => void;
}

const action = (text: string, act: () => void) => (
  <button type="button" className="second" onClick={act}>
    {text}
  </button>
);

function Actions({ membership, onEdit }: ActionsProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const navigate = useNavigate();
  const { id, name } = membership;
  const params = { id };
  const client = clientOf(business);
  const archive = (): void =>
    void propose({
      title: words.say('archive.of', { name }),
      confirm: words.say('archive'),
      done: words.say('archived', { name }),
      about: <p>{words.say('archive.about')}</p>,
      call: () => client.call('POST /memberships/{id}/archive', { params }),
    });
  const unarchive = (): void =>
    void propose({
      title: words.say('unarchive.of', { name }),
      confirm: words.say('unarchive'),
      done: words.say('unarchived', { name }),
      about: <p>{words.say('unarchive.about')}</p>,
      call: () => client.call('POST /memberships/{id}/unarchive', { params }),
    });
  const share = (): void =>
    void propose({
      title: words.say('families.of', { name }),
      confirm: words.say('families.share'),
      done: words.say('families.done', { name }),
      call: () => client.call('POST /memberships/{id}/share_with_families', { params }),
    });
  const remove = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('delete.of', { name }),
      confirm: words.say('delete'),
      done: words.say('deleted', { name }),
      grave: true,
      call: () => client.call('DELETE /memberships/{id}', { params }),
    });
    if (outcome.made) void navigate({ to: '.', search: { tab: 'plans' } as never });
  };
  return (
    <div className="actions">
      {action(words.say('edit'), onEdit)}
      {membership.shareable && !membership.shared_with_families ? action(words.say('families.share'), share) : null}
      {membership.archived_at === null
        ? action(words.say('archive'), archive)
        : action(words.say('unarchive'), unarchive)}
      {action(words.say('delete'), () => void remove())}
    </div>
  );
}
