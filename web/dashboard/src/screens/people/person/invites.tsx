/** Invitations to other parents to join the family, and the form that sends one. */
import { useState } from 'react';
import { clientOf } from '../../../app/client.ts';
import { Field } from '../../../ui/field.tsx';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Invites({ person, family }: TabProps & { readonly family: number }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [inviting, setInviting] = useState(false);
  const found = useCall('GET /family_invites', {
    query: { family, claimed: false },
    fields: ['id', 'first_name', 'last_name', 'email', 'claim_url'],
  });
  const open = (found.data?.results ?? []).filter(({ claim_url: url }) => url !== null);
  const withdraw = (id: number, name: string): void =>
    void propose({
      title: words.say('invite.withdraw.title', { name }),
      confirm: words.say('invite.withdraw'),
      grave: true,
      call: () => clientOf(business).call('DELETE /family_invites/{id}', { params: { id } }),
      done: words.say('invite.withdrawn'),
    });
  return (
    <>
      <ul className="rows">
        {open.map(({ id, first_name: first, last_name: last, email }) => (
          <li key={id}>
            <span>
              {`${first} ${last}`} <span className="soft small">{email}</span>
            </span>
            <span className="tag">{words.say('invite.open')}</span>
            <span className="end">
              <button type="button" className="plain" onClick={() => withdraw(id, `${first} ${last}`)}>
                {words.say('invite.withdraw')}
              </button>
            </span>
          </li>
        ))}
      </ul>
      {person.family_role === 'manager' ? (
        <p>
          <button type="button" className="second" onClick={() => setInviting(true)}>
            {words.say('invite')}
          </button>
        </p>
      ) : null}
      {inviting ? (
        <ProposalForm
          title={words.say('invite')}
          onClose={() => setInviting(false)}
          submit={words.say('invite.send')}
          proposal={({ first_name = '', last_name = '', email = '' }) => ({
            title: words.say('invite'),
            confirm: words.say('invite.send'),
            done: words.say('invite.sent'),
            about: <p>{words.say('invite.about')}</p>,
            call: () =>
              clientOf(business).call('POST /family_invites', {
                body: { customer: person.id, first_name, last_name, email },
              }),
          })}
        >
          {(errors) => (
            <>
              <Field label={words.say('field.first_name')} errors={errors('first_name')}>
                <input name="first_name" autoComplete="off" autoFocus />
              </Field>
              <Field label={words.say('field.last_name')} errors={errors('last_name')}>
                <input name="last_name" autoComplete="off" />
              </Field>
              <Field label={words.say('detail.email')} errors={errors('email')}>
                <input name="email" type="email" autoComplete="off" />
              </Field>
            </>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}
