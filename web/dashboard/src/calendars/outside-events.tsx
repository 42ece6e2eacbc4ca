/** Events read from connected calendars. For those of other people, only the times are shown. */
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { dayOf, timesOf } from '../words/times.ts';
import { useBusiness } from '../app/business.ts';
import { usePages } from '../app/pages.ts';
import { words } from './words.ts';

export function OutsideEvents({ onClose }: { readonly onClose: () => void }) {
  const { timezone } = useBusiness();
  const [now] = useState(() => new Date().toISOString());
  const list = usePages('GET /external_calendars/events', { query: { happens_after: now, page_size: 30 } });
  return (
    <Dialog title={words.say('events')} onClose={onClose} side>
      <Listed list={list} none={words.say('events.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('events')}>
            {all.map((one) => (
              <li key={`${one.calendar_source_event_id} ${one.start_datetime_utc}`}>
                <strong>{dayOf(one.start_datetime_utc, timezone)}</strong>
                <span>
                  {one.is_all_day
                    ? words.say('events.day')
                    : timesOf(one.start_datetime_utc, one.end_datetime_utc, timezone)}
                </span>
                <span>{one.title ?? words.say('events.hidden')}</span>
                <span className="soft small">{one.calendar_name}</span>
                {one.is_busy ? null : <span className="tag end">{words.say('events.free')}</span>}
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Dialog>
  );
}
