/** The dates of a standing booking with the outcome of each; dates without a place can be retried. */
import { clientOf } from '../../../app/client.ts';
import { dayOf, timeOf } from '../../../words/times.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Listed } from '../../../ui/listed.tsx';
import { mayBook } from '../offered.ts';
import { OutcomeTag } from './outcome.tsx';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { whoseOf } from './labels.ts';
import { words } from '../words.ts';
import type { Standing } from './list.tsx';

const FIELDS = ['date', 'starts_at', 'outcome', 'messages'] as const;

export interface DatesProps {
  readonly standing: Standing;
  readonly onClose: () => void;
}

export function Dates({ standing, onClose }: DatesProps) {
  const business = useBusiness();
  const propose = usePropose();
  const params = { id: standing.id };
  const zone = standing.venue?.timezone ?? business.timezone;
  const name = whoseOf(standing);
  const missing = usePages('GET /recurring_reservations/{id}/unavailable_upcoming_events', {
    params,
    query: { page_size: 50 },
    fields: FIELDS,
  });
  const all = usePages('GET /recurring_reservations/{id}/dates', { params, query: { page_size: 50 }, fields: FIELDS });
  const tryAgain = (): void =>
    void propose({
      title: words.say('try_again.of', { name }),
      confirm: words.say('try_again'),
      done: words.say('try_again.done'),
      call: () => clientOf(business.id).call('POST /recurring_reservations/{id}/try_again', { params }),
    });
  const rows = (
    some: readonly {
      date: string;
      starts_at: string;
      outcome: Parameters<typeof OutcomeTag>[0]['outcome'];
      messages: readonly string[];
    }[],
  ) => (
    <ul className="rows">
      {some.map(({ date, starts_at, outcome, messages }) => (
        <li key={date}>
          <span>
            {dayOf(starts_at, zone)}, {timeOf(starts_at, zone)}
          </span>
          <span className="end">
            <OutcomeTag outcome={outcome} />
          </span>
          {messages.length > 0 ? <span className="whole small soft">{messages.join(' ')}</span> : null}
        </li>
      ))}
    </ul>
  );
  const lacks = (missing.data?.pages[0]?.count ?? 0) > 0;
  return (
    <Dialog title={words.say('dates.of', { name })} onClose={onClose}>
      {standing.status === 'active' ? (
        <>
          <h3>{words.say('missing')}</h3>
          <Listed list={missing} none={words.say('missing.none')} next={[]}>
            {rows}
          </Listed>
          {lacks && mayBook(business) ? (
            <div className="actions">
              <button type="button" onClick={tryAgain}>
                {words.say('try_again')}
              </button>
            </div>
          ) : null}
        </>
      ) : null}
      <h3>{words.say('dates.all')}</h3>
      <Listed list={all} none={words.say('dates.none')} next={[]}>
        {rows}
      </Listed>
    </Dialog>
  );
}
