/** Doors that ask who can come in, and platforms that book places: their settings, and what they sent lately. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Copy } from '../../ui/copy.tsx';
import { CustomerLink } from '../../ui/customer-link.tsx';
import { Listed, NextSteps } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { PartnerForm, type Partner } from './partner-form.tsx';
import { Secret, type Issued } from './secret.tsx';
import { StatusTag } from './status-tag.tsx';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const FIELDS = [
  'id',
  'kind',
  'name',
  'status',
  'venue',
  'admits',
  'opens_minutes_before',
  'checks_in',
  'places_per_event',
  'url',
] as const;

export function Partners() {
  const [form, setForm] = useState<Partner | 'new' | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const list = usePages('GET /partners', { query: { page_size: 50 }, fields: FIELDS });
  const next = [{ label: words.say('partner.new'), needs: ['super_admin'], act: () => setForm('new') }];
  return (
    <>
      <p>{words.say('partners.about')}</p>
      <p>
        <NextSteps list={list} next={next} />
      </p>
      <Listed list={list} none={words.say('partners.none')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.partners')}>
            {all.map((one) => (
              <One key={one.id} partner={one} onEdit={() => setForm(one)} onIssued={setIssued} />
            ))}
          </ul>
        )}
      </Listed>
      <Messages />
      {form === null ? null : (
        <PartnerForm
          partner={form === 'new' ? undefined : form}
          onClose={() => setForm(null)}
          onMade={({ name, secret }) => {
            setForm(null);
            if (secret !== null) setIssued({ of: name, secret });
          }}
        />
      )}
      {issued ? <Secret issued={issued} onClose={() => setIssued(null)} /> : null}
    </>
  );
}

interface OneProps {
  readonly partner: Partner;
  readonly onEdit: () => void;
  readonly onIssued: (issued: Issued) => void;
}

function One({ partner, onEdit, onIssued }: OneProps) {
  const { id: business } = useBusiness();
  const propose = usePropose();
  const { id, name, status, kind, url } = partner;
  const client = clientOf(business);
  const asked = { params: { id } };
  const isActive = status === 'active';
  const turn = (): void =>
    void propose({
      title: words.say(isActive ? 'webhook.pause.title' : 'webhook.resume.title', { url: name }),
      confirm: words.say(isActive ? 'webhook.pause' : 'webhook.resume'),
      about: isActive ? <p>{words.say('partner.pause.about')}</p> : undefined,
      done: words.say('partner.changed'),
      call: () => client.call('PATCH /partners/{id}', { ...asked, body: { status: isActive ? 'paused' : 'active' } }),
    });
  const rotate = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('rotate.title', { of: name }),
      confirm: words.say('rotate'),
      about: <p>{words.say('partner.rotate.about')}</p>,
      done: words.say('rotated'),
      call: () => client.call('POST /partners/{id}/rotate_secret', asked),
    });
    if (outcome.made && outcome.answer.secret !== null) onIssued({ of: name, secret: outcome.answer.secret });
  };
  const remove = (): void =>
    void propose({
      title: words.say('webhook.delete.title', { url: name }),
      confirm: words.say('delete'),
      grave: true,
      about: <p>{words.say('partner.delete.about')}</p>,
      done: words.say('partner.deleted'),
      call: () => client.call('DELETE /partners/{id}', asked),
    });
  const buttons = [
    [words.say('edit'), onEdit],
    [words.say(isActive ? 'webhook.pause' : 'webhook.resume'), turn],
    [words.say('rotate'), () => void rotate()],
    [words.say('delete'), remove],
  ] as const;
  return (
    <li className="stacked">
      <div>
        <strong>{name}</strong> <span className="soft small">{words.say(`partner.${kind}`)}</span>{' '}
        <StatusTag status={status} />
      </div>
      <Copy text={url} label={words.say('partner.url', { name })} />
      <p className="actions">
        {buttons.map(([label, act]) => (
          <button key={label} type="button" className="plain" onClick={act}>
            {label} <span className="unseen">{name}</span>
          </button>
        ))}
      </p>
    </li>
  );
}

/** The reasons of an accepted message that are worth a word. */
const REASONS = ['booking', 'membership', 'customer', 'late'] as const;

function Messages() {
  const { timezone } = useBusiness();
  const list = usePages('GET /partner_messages', {
    query: { page_size: 30 },
    fields: [
      'id',
      'type',
      'is_accepted',
      'reason',
      'message',
      'received_at',
      'partner.name',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
    ],
    expand: ['partner', 'customer'],
  });
  return (
    <>
      <h3>{words.say('partner.messages')}</h3>
      <Listed list={list} none={words.say('partner.messages.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('partner.messages')}>
            {all.map(({ id, type, is_accepted, reason, message, received_at, partner, customer }) => {
              const known = REASONS.find((one) => one === reason);
              return (
                <li key={id}>
                  <span>
                    <strong>{words.say(`partner.type.${type}`)}</strong>{' '}
                    {customer ? (
                      <CustomerLink
                        id={customer.id}
                        name={[customer.first_name, customer.last_name].filter(Boolean).join(' ')}
                      />
                    ) : null}{' '}
                    <span className="soft small">
                      {[
                        partner?.name,
                        momentOf(received_at, timezone),
                        known && words.say(`partner.reason.${known}`),
                        message,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span className={is_accepted ? 'tag good end' : 'tag wrong end'}>
                    {words.say(is_accepted ? 'partner.accepted' : 'partner.refused')}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
    </>
  );
}
