/**
 * Sends the feed items of a period again. The feed is addressed by item number, so dates and times are looked up there.
 */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { dateAt } from '../../words/times.ts';
import { Field } from '../../ui/field.tsx';
import { ProposalForm } from '../../changes/proposal-form.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';

const MINUTES = 16;

export interface ReplayProps {
  readonly destination: number;
  readonly url: string;
  readonly onClose: () => void;
}

export function Replay({ destination, url, onClose }: ReplayProps) {
  const { id: business, timezone } = useBusiness();
  const [from, setFrom] = useState(() => `${dateAt(Date.now(), timezone)}T00:00`);
  const [to, setTo] = useState('');
  // A time without an offset is in the time zone of the business.
  const first = useCall(
    'GET /feed_items',
    { query: { occurred_at_gte: from.slice(0, MINUTES), sort: 'id', limit: 1 } },
    { enabled: from !== '' },
  );
  const last = useCall('GET /feed_items', {
    query: { ...(to !== '' && { occurred_at_lte: to.slice(0, MINUTES) }), sort: '-id', limit: 1 },
  });
  const [after, before] = [first.data?.results.at(0)?.id, last.data?.results.at(0)?.id];
  const isThere = after !== undefined && before !== undefined && after <= before;
  return (
    <ProposalForm
      title={words.say('replay.title', { url })}
      onClose={onClose}
      proposal={() => ({
        title: words.say('replay.title', { url }),
        confirm: words.say('replay'),
        about: <p>{words.say('replay.items', { first: after ?? 0, last: before ?? 0 })}</p>,
        done: words.say('replayed'),
        call: () =>
          clientOf(business).call('POST /webhook_destinations/{id}/replay', {
            params: { id: destination },
            body: { after: (after ?? 1) - 1, before: before ?? 1 },
          }),
      })}
    >
      {(errors) => (
        <>
          <p>{words.say('replay.about')}</p>
          <Field label={words.say('replay.from')} errors={errors('after')}>
            <input
              name="after"
              type="datetime-local"
              value={from}
              onChange={({ target: { value } }) => setFrom(value)}
            />
          </Field>
          <Field label={words.say('replay.to')} errors={errors('before')} hint={words.say('replay.to.hint')}>
            <input name="before" type="datetime-local" value={to} onChange={({ target: { value } }) => setTo(value)} />
          </Field>
          <p role="status">
            {isThere ? words.say('replay.items', { first: after, last: before }) : words.say('replay.nothing')}
          </p>
        </>
      )}
    </ProposalForm>
  );
}
