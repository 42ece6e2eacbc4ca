/** Invitations for the people of a file: all at once, or some each day. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Effects } from '../../changes/effects.tsx';
import { Field } from '../../ui/field.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';
import type { Import } from './import.ts';

export function Invite({ of }: { readonly of: Import }) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [perDay, setPerDay] = useState('');
  const params = { id: of.id };
  const client = clientOf(business);
  const n = Number(perDay);
  const invite = (): void =>
    void propose({
      title: words.say('invite'),
      done: words.say('invite.done'),
      about: <p>{words.say('invite.about')}</p>,
      describe: ({ effects, people = [], later = 0 }) => (
        <>
          <Effects effects={effects} />
          <p className="soft">
            {people.map(({ name }) => name).join(', ')}
            {effects.some(({ detail }) => Number(detail.people) > people.length) ? ' …' : ''}
          </p>
          {later > 0 ? <p>{words.say('invite.later', { n: later })}</p> : null}
        </>
      ),
      call: () => client.call('POST /imports/{id}/invite', { params, body: n > 0 ? { per_day: n } : {} }),
    });
  const stop = (): void =>
    void propose({
      title: words.say('invite.stop'),
      done: words.say('invite.stopped'),
      call: () => client.call('POST /imports/{id}/stop_inviting', { params }),
    });
  return (
    <section aria-labelledby="invite">
      <h2 id="invite">{words.say('invite.title')}</h2>
      {of.invites_per_day === null ? null : (
        <p className="notice">{words.say('invite.planned', { n: of.invites_per_day })}</p>
      )}
      <div className="card">
        <Field label={words.say('invite.per_day')} hint={words.say('invite.per_day.hint')}>
          <input
            type="number"
            min="1"
            step="1"
            inputMode="numeric"
            value={perDay}
            onChange={({ target }) => setPerDay(target.value)}
          />
        </Field>
        <div className="actions">
          <button type="button" className="second" onClick={invite}>
            {words.say('invite')}
          </button>
          {of.invites_per_day === null ? null : (
            <button type="button" className="second" onClick={stop}>
              {words.say('invite.stop')}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
