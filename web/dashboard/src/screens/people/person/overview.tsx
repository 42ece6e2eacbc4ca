import { useState } from 'react';
import { amountOf, calendarDayOf } from '../../../words/times.ts';
import { Access } from './access.tsx';
import { Blocks } from './blocks.tsx';
import { clientOf } from '../../../app/client.ts';
import { Edit } from './edit.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { PersonCard } from '../../../person/card.tsx';
import { nameOf, useLabels, useStatuses } from '../../../app/customers.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Overview({ person }: TabProps) {
  const business = useBusiness();
  return (
    <div className="cards">
      <div className="card">
        <PersonCard id={person.id} headed />
      </div>
      <Details person={person} />
      {may(business, 'customers') ? <Access person={person} /> : null}
      <Blocks person={person} />
      {may(business, 'customers') ? <Sorting person={person} /> : null}
    </div>
  );
}

const line = (name: 'name' | 'email' | 'phone' | 'born' | 'venue', value: string | null | undefined) =>
  value ? (
    <>
      <dt>{words.say(`detail.${name}`)}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </>
  ) : null;

function Details({ person }: TabProps) {
  const business = useBusiness();
  const [editing, setEditing] = useState(false);
  return (
    <div className="card">
      <h3>{words.say('details')}</h3>
      <dl>
        {line('name', nameOf(person))}
        {line('email', person.email)}
        {line('phone', person.sms_account?.full_number)}
        {line('born', person.date_of_birth && calendarDayOf(person.date_of_birth))}
        {line('venue', person.customer_venue?.name)}
      </dl>
      {may(business, 'customers') ? (
        <div className="actions">
          <button type="button" className="second" onClick={() => setEditing(true)}>
            {words.say('edit')}
          </button>
        </div>
      ) : (
        <p className="soft small">{words.say('details.hidden')}</p>
      )}
      {editing ? <Edit id={person.id} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}

/** The customer's status and labels. */
function Sorting({ person }: TabProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const labels = useLabels();
  const statuses = useStatuses();
  const { id } = person;
  const free = (labels.data?.results ?? []).filter((one) => !person.labels.some((label) => label.id === one.id));
  const add = (label: number): void => {
    const name = free.find((one) => one.id === label)?.name ?? '';
    void propose({
      title: words.say('label.add', { name }),
      call: () => clientOf(business).call('POST /customers/{id}/add_label', { params: { id }, body: { label } }),
      done: words.say('label.added', { name }),
    });
  };
  const remove = (label: number, name: string): void =>
    void propose({
      title: words.say('label.remove', { name }),
      call: () => clientOf(business).call('POST /customers/{id}/remove_label', { params: { id }, body: { label } }),
      done: words.say('label.removed', { name }),
    });
  const become = (status: string): void => {
    const name = statuses.data?.results.find(({ slug }) => slug === status)?.name ?? words.say('status.none');
    void propose({
      title: words.say('status.set', { name }),
      call: () =>
        clientOf(business).call('POST /customers/{id}/set_status', {
          params: { id },
          body: { status: status === '' ? null : status },
        }),
      done: words.say('status.done', { name }),
    });
  };
  return (
    <div className="card">
      <h3>{words.say('sorting')}</h3>
      <label>
        {words.say('status')}
        <select value={person.status?.slug ?? ''} onChange={(event) => become(event.target.value)}>
          <option value="">{words.say('status.none')}</option>
          {(statuses.data?.results ?? []).map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ul className="plain-list">
        {person.labels.map((label) => (
          <li key={label.id}>
            <span className="tag">{label.name}</span>{' '}
            <button type="button" className="plain" onClick={() => remove(label.id, label.name)}>
              {words.say('label.remove', { name: label.name })}
            </button>
          </li>
        ))}
      </ul>
      {free.length > 0 ? (
        <label>
          {words.say('label.choose')}
          <select value="" onChange={(event) => add(Number(event.target.value))}>
            <option value="">{words.say('choose')}</option>
            {free.map((label) => (
              <option key={label.id} value={label.id}>
                {label.name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </div>
  );
}

export function Balance({ person: { id } }: TabProps) {
  const balance = useCall('GET /customers/{id}/account_balance', { params: { id } });
  return (
    <div className="card">
      <h3>{words.say('balance')}</h3>
      {balance.error ? <Failed error={balance.error} again={() => void balance.refetch()} /> : null}
      {balance.isPending ? <Loading /> : null}
      {balance.data ? (
        <dl>
          {(['owed', 'unbilled', 'credit', 'held_credit', 'unapplied'] as const)
            .filter((name) => name === 'owed' || name === 'credit' || balance.data[name].decimal !== 0)
            .map((name) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt>{words.say(`balance.${name}`)}</dt>
                <dd>{amountOf(balance.data[name])}</dd>
              </div>
            ))}
        </dl>
      ) : null}
    </div>
  );
}
