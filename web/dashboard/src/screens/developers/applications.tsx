/** Programs that act for users with their consent. */
import { useState } from 'react';
import type { ItemOf } from 'rollcall-sdk';
import { ApplicationForm } from './application-form.tsx';
import { clientOf } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { Rotate } from './rotate.tsx';
import { Secret, type Issued } from './secret.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export type Application = ItemOf<'GET /applications'>;

type Doing = 'edit' | 'rotate' | 'direct' | 'rotate_direct';

export function Applications() {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<{ readonly what: Doing; readonly with: Application } | 'new' | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const list = usePages('GET /applications', { query: { page_size: 50 } });
  const client = clientOf(business);
  const close = (): void => setDoing(null);
  const tell = (of: string, secret: string | null): void => {
    close();
    if (secret !== null) setIssued({ of, secret });
  };
  const remove = ({ id, name }: Application): void =>
    void propose({
      title: words.say('application.delete.title', { name }),
      confirm: words.say('delete'),
      grave: true,
      about: <p>{words.say('application.delete.about')}</p>,
      done: words.say('application.deleted', { name }),
      call: () => client.call('DELETE /applications/{id}', { params: { id } }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('application.new'), needs: ['developer'], act: () => setDoing('new') },
  ];
  return (
    <>
      <p>{words.say('applications.about')}</p>
      <div className="tools">
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say('applications.none')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.applications')}>
            {all.map((one) => (
              <li key={one.id}>
                <span>
                  <strong>{one.name}</strong>{' '}
                  <span className="soft small">
                    {[one.domain, one.client_id, one.is_public ? words.say('application.public') : null]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                {one.direct_auth.status === 'none' ? null : (
                  <span className={one.direct_auth.status === 'refused' ? 'tag wrong' : 'tag'}>
                    {words.say(`direct.${one.direct_auth.status}`)}
                  </span>
                )}
                <span className="end buttons">
                  {doings(one).map((what) => (
                    <button key={what} type="button" className="plain" onClick={() => setDoing({ what, with: one })}>
                      {words.say(`application.${what}`)} <span className="unseen">{one.name}</span>
                    </button>
                  ))}
                  <button type="button" className="plain" onClick={() => remove(one)}>
                    {words.say('delete')} <span className="unseen">{one.name}</span>
                  </button>
                </span>
                {one.direct_auth.reason ? <span className="soft small">{one.direct_auth.reason}</span> : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {doing === 'new' ? (
        <ApplicationForm onClose={close} onMade={({ name, client_secret }) => tell(name, client_secret)} />
      ) : null}
      {doing !== null && doing !== 'new' ? <Change {...doing} onClose={close} onTold={tell} /> : null}
      {issued ? <Secret issued={issued} onClose={() => setIssued(null)} /> : null}
    </>
  );
}

/** A public application has no secret, and only an approved one has a key. */
const doings = ({ is_public, direct_auth: { status } }: Application): Doing[] => [
  'edit',
  ...(is_public ? [] : (['rotate'] as const)),
  ...(status === 'approved' ? (['rotate_direct'] as const) : (['direct'] as const)),
];

interface ChangeProps {
  readonly what: Doing;
  readonly with: Application;
  readonly onClose: () => void;
  readonly onTold: (of: string, secret: string | null) => void;
}

function Change({ what, with: application, onClose, onTold }: ChangeProps) {
  const { id: business } = useBusiness();
  const client = clientOf(business);
  const { id, name } = application;
  const params = { id };
  switch (what) {
    case 'edit':
      return (
        <ApplicationForm
          application={application}
          onClose={onClose}
          onMade={({ client_secret }) => onTold(name, client_secret)}
        />
      );
    case 'rotate':
      return (
        <Rotate<{ readonly client_secret: string | null }>
          of={name}
          call={(overlap_hours) =>
            client.call('POST /applications/{id}/rotate_secret', { params, body: { overlap_hours } })
          }
          onClose={onClose}
          onMade={({ client_secret }) => onTold(name, client_secret)}
        />
      );
    case 'rotate_direct':
      return (
        <Rotate<{ readonly direct_auth_key: string | null }>
          of={name}
          call={(overlap_hours) =>
            client.call('POST /applications/{id}/rotate_direct_auth_key', { params, body: { overlap_hours } })
          }
          onClose={onClose}
          onMade={({ direct_auth_key }) => onTold(name, direct_auth_key)}
        />
      );
    case 'direct':
      return (
        <ProposalForm
          title={words.say('application.direct')}
          onClose={onClose}
          proposal={({ use_case = '' }) => ({
            title: words.say('direct.title', { name }),
            confirm: words.say('direct.ask'),
            done: words.say('direct.asked'),
            call: () => client.call('POST /applications/{id}/request_direct_auth', { params, body: { use_case } }),
          })}
        >
          {(errors) => (
            <Field label={words.say('direct.use_case')} errors={errors('use_case')} hint={words.say('direct.hint')}>
              <textarea name="use_case" rows={6} defaultValue={application.direct_auth.use_case ?? ''} />
            </Field>
          )}
        </ProposalForm>
      );
  }
}
