/** The results of a broadcast: its progress, recipients, failures, and the next step. */
import { Link, useNavigate } from '@tanstack/react-router';
import { clientOf } from '../../app/client.ts';
import { contentOf, draftOf, type Broadcast } from './draft.ts';
import { Counted } from './recipients.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Letter } from '../../ui/letter.tsx';
import { Listed } from '../../ui/listed.tsx';
import { momentOf, numberOf } from '../../words/times.ts';
import { nameOf } from '../../app/customers.ts';
import { StatusTag, titleOf } from './broadcasts.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export const DELIVERIES = ['queued', 'sending', 'sent', 'kept', 'delivered', 'bounced', 'failed', 'skipped'] as const;
const UNDER_WAY = new Set<string>(['queued', 'sending']);

export function Results({ broadcast }: { readonly broadcast: Broadcast }) {
  const { id: business, timezone } = useBusiness();
  const navigate = useNavigate();
  const propose = usePropose();
  const { id, status, recipient_counts: counts, delivery_counts: delivered, sent_by } = broadcast;
  const title = titleOf(broadcast);
  const all = DELIVERIES.reduce((sum, one) => sum + delivered[one], 0);
  const done = DELIVERIES.filter((one) => !UNDER_WAY.has(one)).reduce((sum, one) => sum + delivered[one], 0);
  const client = clientOf(business);
  const cancel = (): void =>
    void propose({
      title: words.say('cancel.title', { title }),
      confirm: words.say('cancel'),
      grave: true,
      about: <p>{words.say('cancel.about')}</p>,
      done: words.say('cancelled'),
      call: () => client.call('POST /communication/broadcast_messages/{id}/cancel', { params: { id } }),
    });
  const again = async (): Promise<void> => {
    const outcome = await propose({
      title: words.say('again.title', { title }),
      confirm: words.say('again'),
      done: words.say('saved'),
      call: () =>
        client.call('POST /communication/broadcast_messages', {
          body: { ...contentOf(draftOf(broadcast)), defer_sending: null },
        }),
    });
    if (outcome.made) void navigate({ to: `/${business}/messages/${outcome.answer.id}` as string });
  };
  const facts = [
    words.say(`channel.${broadcast.channel}`),
    words.say(`use.${broadcast.use_case}`),
    status === 'scheduled' && broadcast.scheduled_at
      ? words.say('at.scheduled', { time: momentOf(broadcast.scheduled_at, timezone) })
      : null,
    broadcast.sent_at ? words.say('at.sent', { time: momentOf(broadcast.sent_at, timezone) }) : null,
    sent_by ? words.say('by', { name: sent_by.name }) : null,
  ];
  return (
    <>
      <p role="status" className="soft">
        <StatusTag status={status} /> {facts.filter(Boolean).join(' · ')}
      </p>
      {broadcast.failure ? <p className="notice wrong">{broadcast.failure}</p> : null}
      {status === 'sending' ? (
        <p>
          <progress value={done} max={Math.max(all, 1)} aria-label={words.say('status.sending')} />
        </p>
      ) : null}
      {all > 0 ? (
        <dl className="counts">
          {DELIVERIES.filter((one) => delivered[one] > 0).map((one) => (
            <div key={one}>
              <dt>{words.say(`delivery.${one}`)}</dt>
              <dd>{numberOf(delivered[one])}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p className="actions">
        {status === 'scheduled' || status === 'sending' ? (
          <button type="button" className="second" onClick={cancel}>
            {words.say('cancel')}
          </button>
        ) : null}
        <button type="button" className="second" onClick={() => void again()}>
          {words.say('again')}
        </button>
      </p>
      <div className="writing">
        <div>
          <h2>{words.say('recipients')}</h2>
          <Counted {...counts} />
          {status === 'scheduled' ? <p className="soft small">{words.say('scheduled.about')}</p> : null}
          {all > 0 ? <Sent id={id} /> : null}
          {counts.excluded.length > 0 ? <NotSent id={id} /> : null}
        </div>
        <div>
          <h2>{words.say('text.message')}</h2>
          <Letter label={words.say('text.message')} subject={broadcast.subject} text={broadcast.message} />
        </div>
      </div>
    </>
  );
}

function Sent({ id }: { readonly id: number }) {
  const { id: business } = useBusiness();
  const [address] = useAddress();
  const status = DELIVERIES.find((one) => one === address.delivery);
  const list = usePages('GET /communication/broadcast_messages/{id}/messages', {
    params: { id },
    query: { ...(status && { status: [status] }), page_size: 20 },
    fields: [
      'id',
      'recipient',
      'status',
      'reason',
      'error',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
    ],
  });
  return (
    <>
      <h3>{words.say('sent_to')}</h3>
      <div className="tools">
        <ChoiceFilter
          name="delivery"
          label={words.say('status')}
          any={words.say('status.any')}
          choices={DELIVERIES.map((one) => [one, words.say(`delivery.${one}`)])}
        />
      </div>
      <Listed list={list} none={words.say('sent_to.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('sent_to')}>
            {all.map(({ id: message, recipient, status: now, error, customer }) => (
              <li key={message}>
                {customer ? (
                  <Link to={`/${business}/people/${customer.id}` as string}>
                    {nameOf(customer) || words.say('nameless')}
                  </Link>
                ) : null}
                <span className="soft small">{[recipient, error].filter(Boolean).join(' · ')}</span>
                <span className={now === 'failed' || now === 'bounced' ? 'tag wrong end' : 'tag end'}>
                  {words.say(`delivery.${now}`)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

function NotSent({ id }: { readonly id: number }) {
  const { id: business } = useBusiness();
  const list = usePages('GET /customers', {
    query: { broadcast_message_non_recipients: id, page_size: 20 },
    fields: ['id', 'first_name', 'last_name', 'email'],
  });
  return (
    <>
      <h3>{words.say('not_sent_to')}</h3>
      <Listed list={list} none={words.say('sent_to.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('not_sent_to')}>
            {all.map((one) => (
              <li key={one.id}>
                <Link to={`/${business}/people/${one.id}` as string}>{nameOf(one) || words.say('nameless')}</Link>
                <span className="soft small">{one.email}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}
