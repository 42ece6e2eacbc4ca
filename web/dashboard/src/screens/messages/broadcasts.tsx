/** The list of broadcasts: drafts, scheduled ones, and results. */
import { Link } from '@tanstack/react-router';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { Listed, NextSteps, type NextStep } from '../../ui/listed.tsx';
import { momentOf } from '../../words/times.ts';
import { QuotaLeft } from './quota.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

export const STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

export function Broadcasts() {
  const { id: business, timezone } = useBusiness();
  const [address] = useAddress();
  const status = STATUSES.find((one) => one === address.status);
  const list = usePages('GET /communication/broadcast_messages', {
    query: { ...(status && { status: [status] }), sort: ['-id'], page_size: 30 },
    fields: [
      'id',
      'channel',
      'use_case',
      'subject',
      'message',
      'status',
      'created_at',
      'scheduled_at',
      'sent_at',
      'recipient_counts',
    ],
  });
  const next: readonly NextStep[] = [{ label: words.say('new'), needs: ['super_admin'], to: 'messages/new' }];
  return (
    <>
      <div className="tools">
        <ChoiceFilter
          name="status"
          label={words.say('status')}
          any={words.say('status.any')}
          choices={STATUSES.map((one) => [one, words.say(`status.${one}`)])}
        />
        <span className="end">
          <NextSteps list={list} next={next} />
        </span>
      </div>
      <QuotaLeft />
      <Listed list={list} none={words.say(status ? 'broadcasts.none_such' : 'broadcasts.none')} next={next}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.broadcasts')}>
            {all.map((one) => (
              <li key={one.id}>
                <span>
                  <Link to={`/${business}/messages/${one.id}` as string}>{titleOf(one)}</Link>{' '}
                  <span className="soft small">
                    {[
                      words.say(`channel.${one.channel}`),
                      words.say('people', { n: one.recipient_counts.recipients }),
                      momentOf(one.sent_at ?? one.scheduled_at ?? one.created_at, timezone),
                    ].join(' · ')}
                  </span>
                </span>
                <StatusTag status={one.status} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

const LONGEST_TITLE = 60;

/** Returns the subject; for a text message, which has none, the beginning of its text. */
export function titleOf({ subject, message }: { readonly subject: string | null; readonly message: string }): string {
  const [line] = (subject ?? message).split('\n', 1);
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE)}…` : line;
}

export function StatusTag({ status }: { readonly status: Status }) {
  const look = { sent: 'tag good', cancelled: 'tag wrong' }[status as string] ?? 'tag';
  return <span className={`${look} end`}>{words.say(`status.${status}`)}</span>;
}
