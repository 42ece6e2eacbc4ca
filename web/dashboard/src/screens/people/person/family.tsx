import { Invites } from './invites.tsx';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { nameOf } from '../../../app/customers.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Family({ person }: TabProps) {
  const business = useBusiness();
  const [adding, setAdding] = useState(false);
  return (
    <>
      {may(business, 'customers') && person.family_role !== 'child' ? (
        <p>
          <button type="button" onClick={() => setAdding(true)}>
            {words.say('child.add')}
          </button>
        </p>
      ) : null}
      {person.family === null ? (
        <p className="soft">{words.say('family.none')}</p>
      ) : (
        <>
          <Members family={person.family} person={person} />
          {may(business, 'customers') ? <Invites family={person.family} person={person} /> : null}
        </>
      )}
      {adding ? (
        <ProposalForm
          title={words.say('child.add')}
          submit={words.say('child.add')}
          onClose={() => setAdding(false)}
          proposal={({ first_name = '', last_name = '', date_of_birth }) => ({
            title: words.say('child.title', { name: `${first_name} ${last_name}`.trim() }),
            confirm: words.say('child.add'),
            done: words.say('child.done', { name: `${first_name} ${last_name}`.trim() }),
            call: () =>
              clientOf(business.id).call('POST /customers/{id}/add_child', {
                params: { id: person.id },
                body: { first_name, last_name, date_of_birth: date_of_birth || null },
              }),
          })}
        >
          {(errors) => (
            <>
              <Field label={words.say('field.first_name')} errors={errors('first_name')}>
                <input name="first_name" autoComplete="off" autoFocus />
              </Field>
              <Field label={words.say('field.last_name')} errors={errors('last_name')}>
                <input name="last_name" autoComplete="off" defaultValue={person.last_name ?? ''} />
              </Field>
              <Field label={words.say('field.date_of_birth')} errors={errors('date_of_birth')}>
                <input name="date_of_birth" type="date" />
              </Field>
            </>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}

function Members({ person, family }: TabProps & { readonly family: number }) {
  const { id: business } = useBusiness();
  const list = usePages('GET /customers', {
    query: { family, sort: ['id'], page_size: 50 },
    fields: ['id', 'first_name', 'last_name', 'family_role'],
  });
  return (
    <Listed list={list} none={words.say('family.none')} next={[]}>
      {(all) => (
        <ul className="rows">
          {all.map((one) => (
            <li key={one.id}>
              {one.id === person.id ? (
                <strong>{nameOf(one)}</strong>
              ) : (
                <Link to={`/${business}/people/${one.id}` as string} search={{ tab: 'overview' } as never}>
                  {nameOf(one)}
                </Link>
              )}
              {one.family_role ? <span className="tag">{words.say(`role.${one.family_role}`)}</span> : null}
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
