/** One webhook: whether it works, the reason if it does not, and the actions on it. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { Deliveries } from './deliveries.tsx';
import { DestinationForm } from './destination-form.tsx';
import { Loading, Missing } from '../../ui/states.tsx';
import { momentOf } from '../../words/times.ts';
import { Replay } from './replay.tsx';
import { Rotate } from './rotate.tsx';
import { Secret, type Issued } from './secret.tsx';
import { StatusTag } from './status-tag.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const FIELDS = [
  'id',
  'url',
  'description',
  'feed_item_types',
  'status',
  'status_reason',
  'failing_since',
  'not_before',
] as const;

export function Destination({ id, onLeave }: { readonly id: number; readonly onLeave: () => void }) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [doing, setDoing] = useState<'edit' | 'rotate' | 'replay' | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const found = useCall('GET /webhook_destinations/{id}', { params: { id }, fields: FIELDS });
  const leave = (
    <button type="button" className="plain" onClick={onLeave}>
      {words.say('webhooks.all')}
    </button>
  );
  if (found.error && !found.data)
    return (
      <Missing error={found.error} again={() => void found.refetch()} title={words.say('webhook.not_here')}>
        {leave}
      </Missing>
    );
  if (!found.data) return <Loading />;
  const destination = found.data;
  const { url, status } = destination;
  const client = clientOf(business);
  const asked = { params: { id } };
  const turn = (): void =>
    void propose({
      title: words.say(status === 'active' ? 'webhook.pause.title' : 'webhook.resume.title', { url }),
      confirm: words.say(status === 'active' ? 'webhook.pause' : 'webhook.resume'),
      about: (
        <p>
          {words.say(
            status === 'active' ? 'webhook.pause.about' : (`webhook.resume.${status}` as 'webhook.resume.paused'),
          )}
        </p>
      ),
      done: words.say('webhook.changed'),
      call: () =>
        status === 'active'
          ? client.call('POST /webhook_destinations/{id}/pause', { ...asked, body: {} })
          : client.call('POST /webhook_destinations/{id}/resume', asked),
    });
  const test = (): void =>
    void propose({
      title: words.say('webhook.test.title', { url }),
      confirm: words.say('webhook.test'),
      announced: [],
      done: words.say('webhook.tested'),
      call: () => client.call('POST /webhook_destinations/{id}/test', asked),
    });
  const remove = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('webhook.delete.title', { url }),
      confirm: words.say('delete'),
      grave: true,
      about: <p>{words.say('webhook.delete.about')}</p>,
      done: words.say('webhook.deleted'),
      call: () => client.call('DELETE /webhook_destinations/{id}', asked),
    });
    if (outcome.made) onLeave();
  };
  return (
    <>
      <p>{leave}</p>
      <h3 className="address">
        {url} <StatusTag status={status} />
      </h3>
      {destination.description ? <p className="soft">{destination.description}</p> : null}
      {status === 'active' ? null : (
        <p className="notice wrong">
          {words.say(`webhook.is.${status}`)} {destination.status_reason}
        </p>
      )}
      {destination.failing_since ? (
        <p className="notice wrong">
          {words.say('webhook.failing', { time: momentOf(destination.failing_since, timezone) })}{' '}
          {destination.not_before
            ? words.say('webhook.not_before', { time: momentOf(destination.not_before, timezone) })
            : null}
        </p>
      ) : null}
      <p className="actions">
        <button type="button" className="second" onClick={() => setDoing('edit')}>
          {words.say('webhook.edit')}
        </button>
        <button type="button" className="second" onClick={turn}>
          {words.say(status === 'active' ? 'webhook.pause' : 'webhook.resume')}
        </button>
        <button type="button" className="second" onClick={test}>
          {words.say('webhook.test')}
        </button>
        <button type="button" className="second" onClick={() => setDoing('replay')}>
          {words.say('replay')}
        </button>
        <button type="button" className="second" onClick={() => setDoing('rotate')}>
          {words.say('rotate')}
        </button>
        <button type="button" className="plain" onClick={() => void remove()}>
          {words.say('delete')}
        </button>
      </p>
      <details>
        <summary>{words.say('webhook.types', { n: destination.feed_item_types.length })}</summary>
        <p className="small">{destination.feed_item_types.join(', ')}</p>
      </details>
      <Deliveries destination={id} />
      {doing === 'edit' ? (
        <DestinationForm destination={destination} onClose={() => setDoing(null)} onMade={() => setDoing(null)} />
      ) : null}
      {doing === 'rotate' ? (
        <Rotate<{ readonly secret: string | null }>
          of={url}
          call={(overlap_hours) =>
            client.call('POST /webhook_destinations/{id}/rotate_secret', { ...asked, body: { overlap_hours } })
          }
          onClose={() => setDoing(null)}
          onMade={({ secret }) => {
            setDoing(null);
            if (secret !== null) setIssued({ of: url, secret });
          }}
        />
      ) : null}
      {doing === 'replay' ? <Replay destination={id} url={url} onClose={() => setDoing(null)} /> : null}
      {issued ? <Secret issued={issued} onClose={() => setIssued(null)} /> : null}
    </>
  );
}
