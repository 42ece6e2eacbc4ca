/** The deliveries to a webhook: each with its attempts and their responses, and a button to send it again. */
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Loading, Missing } from '../../ui/states.tsx';
import { Listed } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

const STATUSES = ['pending', 'delivered', 'parked', 'cancelled'] as const;

export function Deliveries({ destination }: { readonly destination: number }) {
  const { id: business, timezone } = useBusiness();
  const propose = usePropose();
  const [address] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const list = usePages('GET /webhook_deliveries', {
    query: { destination, ...(status && { status: [status] }), sort: ['-id'], page_size: 30 },
    fields: ['id', 'feed_item', 'feed_item_type', 'status', 'attempt_count', 'next_attempt_at', 'created_at'],
  });
  const resend = (id: number, type: string): void =>
    void propose({
      title: words.say('resend.title', { type }),
      confirm: words.say('resend'),
      announced: [],
      done: words.say('resent'),
      call: () => clientOf(business).call('POST /webhook_deliveries/{id}/resend', { params: { id } }),
    });
  return (
    <>
      <h3>{words.say('deliveries')}</h3>
      <div className="tools">
        <ChoiceFilter
          name="status"
          label={words.say('status')}
          any={words.say('any')}
          choices={STATUSES.map((one) => [one, words.say(`delivery.${one}`)])}
        />
        <button type="button" className="second" onClick={() => void list.refetch()}>
          {words.say('refresh')}
        </button>
      </div>
      <Listed list={list} none={words.say('deliveries.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('deliveries')}>
            {all.map(
              ({ id, feed_item, feed_item_type: type, status: now, attempt_count, next_attempt_at, created_at }) => (
                <li key={id}>
                  <span>
                    <strong>{type}</strong>{' '}
                    <span className="soft small">
                      {[
                        feed_item === null ? null : words.say('delivery.item', { id: feed_item }),
                        momentOf(created_at, timezone),
                        words.say('delivery.attempts', { n: attempt_count }),
                        next_attempt_at && attempt_count > 0
                          ? words.say('delivery.next', { time: momentOf(next_attempt_at, timezone) })
                          : null,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span className={{ delivered: 'tag good end', parked: 'tag wrong end' }[now as string] ?? 'tag end'}>
                    {words.say(`delivery.${now}`)}
                  </span>
                  <button type="button" className="plain" onClick={() => resend(id, type)}>
                    {words.say('resend')}{' '}
                    <span className="unseen">
                      {type} {feed_item ?? ''}
                    </span>
                  </button>
                  <Attempts delivery={id} />
                </li>
              ),
            )}
          </ul>
        )}
      </Listed>
    </>
  );
}

/** Read on demand: a body may be long. */
function Attempts({ delivery }: { readonly delivery: number }) {
  const { timezone } = useBusiness();
  const [isOpen, setOpen] = useState(false);
  const found = useCall(
    'GET /webhook_deliveries/{id}',
    { params: { id: delivery }, fields: ['webhook_id', 'request_body', 'attempts'] },
    { enabled: isOpen },
  );
  return (
    <details className="attempts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.say('delivery.details')}</summary>
      {found.error ? (
        <Missing error={found.error} again={() => void found.refetch()} title={words.say('delivery.gone')}>
          {null}
        </Missing>
      ) : null}
      {isOpen && !found.data && !found.error ? <Loading /> : null}
      {found.data ? (
        <>
          <p className="small">
            Service-Webhook-ID: <code>{found.data.webhook_id}</code>
          </p>
          {found.data.request_body === null ? null : (
            <pre tabIndex={0} role="region" aria-label={words.say('delivery.body')}>
              {found.data.request_body}
            </pre>
          )}
          <ul className="plain-list">
            {found.data.attempts.map((one) => (
              <li key={one.id}>
                {momentOf(one.started_at, timezone)} ·{' '}
                {one.response_status === null ? one.error : `HTTP ${one.response_status}`} · {one.duration_ms} ms
                {one.response_body ? (
                  <pre tabIndex={0} role="region" aria-label={words.say('delivery.response')}>
                    {one.response_body}
                  </pre>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </details>
  );
}
