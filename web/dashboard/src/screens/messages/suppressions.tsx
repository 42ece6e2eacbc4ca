/** Suppressed addresses with the reasons. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Field } from '../../ui/field.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useDeferred } from '../../app/deferred.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { CHANNELS } from './draft.ts';
import { words } from './words.ts';

const REASONS = ['unsubscribed', 'bounced', 'complained', 'manual'] as const;

export function Suppressions() {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
  const [adding, setAdding] = useState(false);
  const [text, setText] = useState('');
  const wanted = useDeferred(text.trim(), 250);
  const reason = REASONS.find((one) => one === address.reason);
  const list = usePages(
    'GET /communication/suppressions',
    { query: { ...(reason && { reason }), ...(wanted && { address: wanted }), sort: ['-id'], page_size: 50 } },
    { keep: true },
  );
  const remove = (id: number, whose: string): void =>
    void propose({
      title: words.say('suppression.remove.title', { address: whose }),
      confirm: words.say('suppression.remove'),
      about: <p>{words.say('suppression.remove.about')}</p>,
      call: () => clientOf(business).call('DELETE /communication/suppressions/{id}', { params: { id } }),
      done: words.say('suppression.removed', { address: whose }),
    });
  const next: readonly NextStep[] = [
    { label: words.say('suppression.add'), needs: ['super_admin'], act: () => setAdding(true) },
  ];
  return (
    <>
      <p>{words.say('suppressions.about')}</p>
      <div className="tools">
        <label>
          {words.say('suppression.address')}
          <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <ChoiceFilter
          name="reason"
          label={words.say('suppression.reason')}
          any={words.say('status.any')}
          choices={REASONS.map((one) => [one, words.say(`suppressed.${one}`)])}
        />
        <span className="end">
          <NextSteps list={list} next={next} />
        </span>
      </div>
      <Listed
        list={list}
        none={words.say(reason || wanted ? 'suppressions.none_such' : 'suppressions.none')}
        next={next}
      >
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.suppressions')}>
            {all.map((one) => (
              <li key={one.id}>
                <span>
                  {one.address}{' '}
                  <span className="soft small">
                    {[momentOf(one.created_at, timezone), one.note].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className="tag">{words.say(`suppressed.${one.reason}`)}</span>
                <button type="button" className="plain end" onClick={() => remove(one.id, one.address)}>
                  {words.say('suppression.remove')} <span className="unseen">{one.address}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {adding ? (
        <ProposalForm
          title={words.say('suppression.add')}
          submit={words.say('suppression.add')}
          onClose={() => setAdding(false)}
          proposal={({ address: whose = '', channel, note }) => ({
            title: words.say('suppression.add.title', { address: whose }),
            confirm: words.say('suppression.add'),
            done: words.say('suppression.added', { address: whose }),
            announced: ['suppression.created'],
            call: () =>
              clientOf(business).call('POST /communication/suppressions', {
                body: {
                  address: whose,
                  channel: CHANNELS.find((one) => one === channel) ?? 'email',
                  note: note || null,
                },
              }),
          })}
        >
          {(errors) => (
            <>
              <Field label={words.say('channel')} errors={errors('channel')}>
                <select name="channel">
                  {CHANNELS.map((one) => (
                    <option key={one} value={one}>
                      {words.say(`channel.${one}`)}
                    </option>
                  ))}
                </select>
              </Field>
              <Field label={words.say('suppression.address')} errors={errors('address')}>
                <input name="address" autoComplete="off" />
              </Field>
              <Field label={words.say('suppression.note')} errors={errors('note')}>
                <input name="note" autoComplete="off" />
              </Field>
            </>
          )}
        </ProposalForm>
      ) : null}
    </>
  );
}
