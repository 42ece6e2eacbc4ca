/** Memberships, in the order in which customers see them. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { amountOf } from '../../../words/times.ts';
import { Categories } from './categories.tsx';
import { ChoiceFilter, ClearFilters, TextFilter } from '../../../ui/filters.tsx';
import { clientOf } from '../../../app/client.ts';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { MembershipForm } from './form.tsx';
import { NewMembership } from '../../../memberships/new.tsx';
import { Reorder } from '../../../changes/reorder.tsx';
import { TYPES, useCategories } from './read.ts';
import { useAddress } from '../../../app/address.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from '../words.ts';
import { words as shared } from '../../../memberships/words.ts';

const SHOWN = ['open', 'for_sale', 'draft', 'archived', 'all'] as const;
const MAX_ROWS = 200;

export function Plans() {
  const business = useBusiness();
  const navigate = useNavigate();
  const [address] = useAddress();
  const [doing, setDoing] = useState<'pack' | 'club' | 'other' | 'order' | 'categories' | null>(null);
  const shown = SHOWN.find((one) => one === address.show) ?? 'open';
  const type = TYPES.find((one) => one === address.type);
  const category = Number(address.category) || null;
  const categories = useCategories();
  const list = usePages(
    'GET /memberships',
    {
      query: {
        ...((shown === 'open' || shown === 'archived') && { archived: shown === 'archived' }),
        ...(shown === 'for_sale' && { for_sale: true }),
        ...(shown === 'draft' && { is_draft: true, archived: false }),
        ...(type && { type: [type] }),
        ...(category !== null && { categories: [category] }),
        ...(address.name && { name_contains: address.name }),
        page_size: 50,
      },
      fields: [
        'id',
        'type',
        'name',
        'category.name',
        'display_price',
        'for_sale',
        'visible_to_customers',
        'incomplete_reasons',
        'active_member_count',
        'archived_at',
      ],
    },
    { keep: true },
  );
  const isFiltered = shown !== 'open' || type !== undefined || category !== null || Boolean(address.name);
  const sells = may(business, 'super_admin');
  const close = (): void => setDoing(null);
  const show = (id: number) => void navigate({ to: '.', search: { tab: 'plans', membership: id } as never });
  const next: readonly NextStep[] = [
    { label: shared.say('new.pack'), needs: ['super_admin'], act: () => setDoing('pack') },
    { label: shared.say('new.club'), needs: ['super_admin'], act: () => setDoing('club') },
  ];
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <TextFilter name="name" label={words.say('name')} />
        <ChoiceFilter
          name="show"
          label={words.say('show')}
          choices={SHOWN.map((one) => [one, words.say(`show.${one}`)])}
        />
        <ChoiceFilter
          name="type"
          label={words.say('type')}
          any={words.say('any')}
          choices={TYPES.map((one) => [one, words.say(`type.${one}`)])}
        />
        <ChoiceFilter
          name="category"
          label={words.say('category')}
          any={words.say('any')}
          choices={(categories.data?.results ?? []).map(({ id, name }) => [String(id), name])}
        />
        <ClearFilters names={['name', 'show', 'type', 'category']} />
      </div>
      <div className="actions">
        {sells ? (
          <>
            <NextSteps list={list} next={next} />
            <button type="button" className="second" onClick={() => setDoing('other')}>
              {words.say('membership.other')}
            </button>
            <button type="button" className="second" onClick={() => setDoing('order')}>
              {words.say('order')}
            </button>
          </>
        ) : null}
        <button type="button" className="second" onClick={() => setDoing('categories')}>
          {words.say('categories')}
        </button>
      </div>
      <Listed list={list} none={words.say(isFiltered ? 'memberships.none' : 'memberships.first')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.plans')}>
            {all.map((one) => (
              <li key={one.id}>
                <Link to="." search={{ ...address, membership: one.id } as never} activeProps={{}}>
                  {one.name}
                </Link>
                <span className="soft">{one.category?.name}</span>
                <span className="tag">{words.say(`type.${one.type}`)}</span>
                <State one={one} />
                <span className="end">
                  {words.say('holders', { n: one.active_member_count })}
                  {one.display_price ? <> · {amountOf(one.display_price)}</> : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {doing === 'pack' || doing === 'club' ? <NewMembership kind={doing} onClose={close} onMade={show} /> : null}
      {doing === 'other' ? <MembershipForm onClose={close} onMade={show} /> : null}
      {doing === 'order' ? <OrderMemberships onClose={close} /> : null}
      {doing === 'categories' ? <Categories onClose={close} /> : null}
    </>
  );
}

interface StateProps {
  readonly one: {
    readonly for_sale: boolean;
    readonly visible_to_customers: boolean;
    readonly incomplete_reasons: readonly string[];
    readonly archived_at: string | null;
  };
}

/** Shows whether customers can see and buy it. */
export function State({ one }: StateProps) {
  if (one.archived_at) return <span className="tag">{words.say('state.archived')}</span>;
  return (
    <>
      {one.incomplete_reasons.length > 0 ? <span className="tag wrong">{words.say('state.draft')}</span> : null}
      {one.for_sale ? null : <span className="tag">{words.say('state.not_for_sale')}</span>}
      {one.visible_to_customers ? null : <span className="tag">{words.say('state.hidden')}</span>}
    </>
  );
}

function OrderMemberships({ onClose }: { readonly onClose: () => void }) {
  const { id: business } = useBusiness();
  const list = usePages('GET /memberships', {
    query: { archived: false, page_size: MAX_ROWS },
    fields: ['id', 'name'],
  });
  if (!list.data) return null;
  return (
    <Reorder
      title={words.say('order')}
      all={list.data.pages.flatMap(({ results }) => results)}
      done={words.say('order.saved')}
      call={(ordering) => clientOf(business).call('PATCH /memberships/ordering', { body: { ordering } })}
      onClose={onClose}
    />
  );
}
