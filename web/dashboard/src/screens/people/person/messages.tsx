/** What was sent to them, and whether it arrived. */
import { Listed } from '../../../ui/listed.tsx';
import { momentOf } from '../../../words/times.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from './words.ts';
import type { TabProps } from './person.ts';

export function Messages({ person }: TabProps) {
  const { timezone } = useBusiness();
  const list = usePages('GET /customers/{id}/messages', {
    params: { id: person.id },
    query: { sort: ['-id'], page_size: 20 },
    fields: ['id', 'channel', 'kind', 'recipient', 'subject', 'status', 'queued_at', 'body'],
  });
  return (
    <Listed list={list} none={words.say('messages.none')}>
      {(all) => (
        <ul className="rows">
          {all.map(({ id, channel, kind, recipient, subject, status, queued_at, body }) => (
            <li key={id}>
              <span>{momentOf(queued_at, timezone)}</span>
              <span className="soft">{words.say(`channel.${channel}`)}</span>
              <details>
                <summary>{subject ?? kind.replaceAll('_', ' ')}</summary>
                <p className="soft small">{recipient}</p>
                <p className="said">{body?.text ?? words.say('messages.secret')}</p>
              </details>
              <span className={status === 'failed' || status === 'bounced' ? 'tag wrong end' : 'tag end'}>
                {words.say(`message.${status}`)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}
