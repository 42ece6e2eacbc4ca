/** One message: its text, and its delivery. */
import { Dialog } from '../../../ui/dialog.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Letter } from '../../../ui/letter.tsx';
import { momentOf } from '../../../words/times.ts';
import { useBusiness } from '../../../app/business.ts';
import { useCall } from '../../../app/calls.ts';
import { words } from './words.ts';

const MOMENTS = ['queued_at', 'send_at', 'sent_at', 'delivered_at', 'failed_at'] as const;

export function Message({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { timezone } = useBusiness();
  const { data, error, refetch } = useCall('GET /messages/{id}', { params: { id }, expand: ['body'] });
  const title = data ? (data.subject ?? words.say(`channel.${data.channel}`)) : words.say('tab.messages');
  return (
    <Dialog title={title} onClose={onClose} side>
      {error ? <Failed error={error} again={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? (
        <>
          <p className="facts">
            <span className={data.status === 'failed' || data.status === 'bounced' ? 'tag wrong' : 'tag'}>
              {words.say(`message.${data.status}`)}
            </span>
            <span className="soft">
              {[words.say(`channel.${data.channel}`), data.recipient].filter(Boolean).join(' · ')}
            </span>
          </p>
          {data.reason ? <p>{words.say(`reason.${data.reason}`)}</p> : null}
          {data.error ? <p className="error">{data.error}</p> : null}
          {data.body.text === null ? (
            <p className="soft">{words.say('messages.secret')}</p>
          ) : (
            <Letter subject={data.subject} text={data.body.text} label={words.say('message.text')} />
          )}
          <dl>
            {MOMENTS.map((name) => {
              const moment = data[name];
              return moment === null ? null : (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{words.say(`message.${name}`)}</dt>
                  <dd>{momentOf(moment, timezone)}</dd>
                </div>
              );
            })}
            <dt>{words.say('message.attempts')}</dt>
            <dd>{data.attempts}</dd>
          </dl>
        </>
      ) : null}
    </Dialog>
  );
}
