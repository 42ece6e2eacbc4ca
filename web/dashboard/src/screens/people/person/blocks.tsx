/** Whether the customer can book: the block that applies, with its reason, and the earlier ones. */
import { useState } from 'react';
import { calendarDayOf, dateAt, momentOf } from '../../../words/times.ts';
import { clientOf } from '../../../app/client.ts';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Field } from '../../../ui/field.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { ProposalForm } from '../../../changes/proposal-form.tsx';
import { useCall } from '../../../app/calls.ts';
import { useNow } from '../../../app/now.ts';
import { usePropose } from '../../../changes/change.tsx';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

const SHOWN = 20;

export function Blocks({ person: { id } }: TabProps) {
  const business = useBusiness();
  const propose = usePropose();
  const [blocking, setBlocking] = useState(false);
  const found = useCall('GET /customer_registration_blocks', {
    query: { customer: [id], page_size: SHOWN },
    fields: ['id', 'is_active', 'reason', 'ends_at', 'created_at', 'deactivated_at', 'set_by.name'],
  });
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const all = found.data.results;
  const active = all.find(({ is_active: is }) => is);
  const earlier = all.filter(({ is_active: is }) => !is);
  const dayAt = (moment: string): string => calendarDayOf(dateAt(moment, business.timezone));
  const lift = (block: number): void =>
    void propose({
      title: words.say('block.lift'),
      call: () =>
        clientOf(business.id).call('PATCH /customer_registration_blocks/{id}', {
          params: { id: block },
          body: { is_active: false },
        }),
      done: words.say('block.lifted'),
    });
  return (
    <div className="card">
      <h3>{words.say('block')}</h3>
      {active ? (
        <>
          <p>
            <span className="tag wrong">
              {active.ends_at
                ? words.say('block.until', { when: momentOf(active.ends_at, business.timezone) })
                : words.say('block.active')}
            </span>
          </p>
          {active.reason ? <p className="said">{active.reason}</p> : null}
          <p className="soft small">
            {active.set_by
              ? words.say('block.by', { name: active.set_by.name, day: dayAt(active.created_at) })
              : words.say('block.since', { day: dayAt(active.created_at) })}
          </p>
        </>
      ) : (
        <p>{words.say('block.none')}</p>
      )}
      {may(business, 'customers') ? (
        <div className="actions">
          {active ? (
            <button type="button" className="second" onClick={() => lift(active.id)}>
              {words.say('block.lift')}
            </button>
          ) : (
            <button type="button" className="second" onClick={() => setBlocking(true)}>
              {words.say('block.set')}
            </button>
          )}
        </div>
      ) : null}
      {earlier.length > 0 ? (
        <details>
          <summary>{words.say('block.earlier')}</summary>
          <ul className="plain-list">
            {earlier.map(({ id: block, reason, created_at: from, deactivated_at: to }) => (
              <li key={block}>
                <span className="soft small">
                  {words.say('hold.between', { from: dayAt(from), to: dayAt(to ?? from) })}
                </span>{' '}
                {reason}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {blocking ? <BlockForm customer={id} onClose={() => setBlocking(false)} /> : null}
    </div>
  );
}

function BlockForm({ customer, onClose }: { readonly customer: number; readonly onClose: () => void }) {
  const { id: business, timezone } = useBusiness();
  const today = dateAt(useNow(), timezone);
  return (
    <ProposalForm
      title={words.say('block.set')}
      onClose={onClose}
      submit={words.say('block.set')}
      proposal={({ reason = '', ends_at: last }) => ({
        title: words.say('block.set'),
        done: words.say('block.saved'),
        call: () =>
          clientOf(business).call('POST /customer_registration_blocks', {
            body: { customer, reason, ends_at: last ? `${last}T23:59:59` : null },
          }),
      })}
    >
      {(errors) => (
        <>
          <p className="soft small">{words.say('block.about')}</p>
          <Field label={words.say('field.explanation')} hint={words.say('block.reason.hint')} errors={errors('reason')}>
            <textarea name="reason" rows={2} maxLength={500} autoFocus />
          </Field>
          <Field label={words.say('block.end')} hint={words.say('block.end.hint')} errors={errors('ends_at')}>
            <input name="ends_at" type="date" min={today} />
          </Field>
        </>
      )}
    </ProposalForm>
  );
}
