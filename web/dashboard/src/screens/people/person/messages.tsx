/** The messages sent to the customer, and whether they were delivered. */
import { Listed } from '../../../ui/listed.tsx';
import { Message } from './message.tsx';
import { momentOf } from '../../../words/times.ts';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Messages({ person }: TabProps) {
  const { timezone } = useBusiness();
  const [{ message }, change] = useAddress();
  const list = usePages('GET /customers/{id}/messages', {
    params: { id: person.id },
    query: { sort: ['-id'], page_size: 20 },
    fields: ['id', 'channel', 'subject', 'status', 'queued_at'],
  });
  return (
    <>
      <Listed list={list} none={words.say('messages.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.messages')}>
            {all.map(({ id, channel, subject, status, queued_at }) => (
              <li key={id}>
                <span>{momentOf(queued_at, timezone)}</span>
                <span className="soft">{words.say(`channel.${channel}`)}</span>
                <button type="button" className="plain" onClick={() => change({ message: String(id) }, { push: true })}>
                  {subject ?? words.say(channel === 'email' ? 'message.of_account' : 'message.of_text')}
                </button>
                <span className={status === 'failed' || status === 'bounced' ? 'tag wrong end' : 'tag end'}>
                  {words.say(`message.${status}`)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {Number(message) > 0 ? (
        <Message key={message} id={Number(message)} onClose={() => change({ message: undefined })} />
      ) : null}
    </>
  );
}
