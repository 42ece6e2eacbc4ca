/** Machine tokens for the business's own programs. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { dateAt, calendarDayOf, momentOf } from '../../words/times.ts';
import { Field } from '../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { Secret, type Issued } from './secret.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const STATUSES = ['active', 'ended'] as const;

interface Known {
  readonly id: number;
  readonly name: string;
  readonly expires_at: string | null;
}

export function Tokens() {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [address, change] = useAddress();
  const status = STATUSES.find((one) => one === address.status) ?? 'active';
  const [editing, setEditing] = useState<Known | 'new' | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const list = usePages('GET /machine_tokens', { query: { status, page_size: 50 } });
  const revoke = (id: number, name: string): void =>
    void propose({
      title: words.say('token.revoke.title', { name }),
      confirm: words.say('token.revoke'),
      grave: true,
      about: <p>{words.say('token.revoke.about')}</p>,
      done: words.say('token.revoked', { name }),
      call: () => clientOf(business).call('POST /machine_tokens/{id}/revoke', { params: { id } }),
    });
  const day = (moment: string): string => calendarDayOf(dateAt(moment, timezone));
  const next: readonly NextStep[] = [
    { label: words.say('token.new'), needs: ['developer'], act: () => setEditing('new') },
  ];
  return (
    <>
      <p>{words.say('tokens.about')}</p>
      <div className="tools">
        <label>
          {words.say('status')}
          <select value={status} onChange={(event) => change({ status: event.target.value })}>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {words.say(`token.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('tokens.none')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.tokens')}>
            {all.map((one) => (
              <li key={one.id}>
                <span>
                  <strong>{one.name}</strong>{' '}
                  <span className="soft small">
                    {[
                      `${one.begins_with}…`,
                      one.last_used_at
                        ? words.say('token.used', { time: momentOf(one.last_used_at, timezone) })
                        : words.say('token.unused'),
                      one.revoked_at
                        ? words.say('token.revoked_at', { day: day(one.revoked_at) })
                        : one.expires_at
                          ? words.say('token.expires', { day: day(one.expires_at) })
                          : words.say('token.forever'),
                    ].join(' · ')}
                  </span>
                </span>
                {one.revoked_at === null ? (
                  <span className="end">
                    <button type="button" className="plain" onClick={() => setEditing(one)}>
                      {words.say('edit')} <span className="unseen">{one.name}</span>
                    </button>{' '}
                    <button type="button" className="plain" onClick={() => revoke(one.id, one.name)}>
                      {words.say('token.revoke')} <span className="unseen">{one.name}</span>
                    </button>
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {editing ? (
        <TokenForm
          {...(editing !== 'new' && { known: editing })}
          onClose={() => setEditing(null)}
          onMade={({ name, token }) => {
            setEditing(null);
            if (token !== null) setIssued({ of: name, secret: token });
          }}
        />
      ) : null}
      {issued ? <Secret issued={issued} onClose={() => setIssued(null)} /> : null}
    </>
  );
}

interface TokenFormProps {
  /** absent for a new one */
  readonly known?: Known;
  readonly onClose: () => void;
  readonly onMade: (made: { readonly name: string; readonly token: string | null }) => void;
}

function TokenForm({ known, onClose, onMade }: TokenFormProps) {
  const { id: business, timezone } = useBusiness();
  const title = words.say(known ? 'token.edit' : 'token.new');
  return (
    <ProposalForm<{ readonly name: string; readonly token: string | null }>
      title={title}
      submit={words.say(known ? 'save' : 'token.create')}
      onClose={onClose}
      onMade={onMade}
      proposal={({ name = '', expires_at: last }) => ({
        title,
        confirm: words.say(known ? 'save' : 'token.create'),
        done: words.say(known ? 'token.changed' : 'token.created'),
        call: () => {
          // Includes the whole last day in the time zone of the business.
          const body = { name, expires_at: last ? `${last}T23:59:59` : null };
          return known
            ? clientOf(business).call('PATCH /machine_tokens/{id}', { params: { id: known.id }, body })
            : clientOf(business).call('POST /machine_tokens', { body });
        },
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('token.may')}</p>
          <Field label={words.say('token.name')} errors={errors('name')} hint={words.say('token.name.hint')}>
            <input name="name" autoComplete="off" defaultValue={known?.name ?? ''} />
          </Field>
          <Field
            label={words.say('token.last_day')}
            errors={errors('expires_at')}
            hint={words.say('token.last_day.hint')}
          >
            <input
              name="expires_at"
              type="date"
              defaultValue={known?.expires_at ? dateAt(known.expires_at, timezone) : ''}
            />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
