/** The day at a glance: what runs and what comes next, who waits, who owes, and what needs somebody. */
import './today.css';
import { Attention } from './attention.tsx';
import { Classes } from './classes.tsx';
import { dateAt, longDayOf } from '../../words/times.ts';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { words } from './words.ts';

export const { ready } = words;

export function Screen() {
  const { timezone } = useBusiness();
  const now = useNow();
  const [{ venue }, change] = useAddress();
  const venues = useCall('GET /venues', { query: { status: 'active', page_size: 100 }, fields: ['id', 'name'] });
  const all = venues.data?.results ?? [];
  const at = all.find(({ id }) => String(id) === venue)?.id ?? null;
  return (
    <>
      <div className="screen-top">
        <div>
          <h1>{words.say('title')}</h1>
          <p className="soft">{longDayOf(now, timezone)}</p>
        </div>
        {all.length > 1 ? (
          <div className="tools">
            <label>
              {words.say('venue')}
              <select value={at ?? ''} onChange={(event) => change({ venue: event.target.value })}>
                <option value="">{words.say('venue.all')}</option>
                {all.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </div>
        ) : null}
      </div>
      <div className="today">
        <Classes venue={at} date={dateAt(now, timezone)} now={now} />
        <Attention venue={at} date={dateAt(now, timezone)} />
      </div>
    </>
  );
}
