import en from './messages/en.json';
import { catalogue } from '../../words/catalogue.ts';
import { dateAt, longDayOf, timesOf } from '../../words/times.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';

const { say, ready } = catalogue(
  en,
  import.meta.glob(['./messages/*.json', '!./messages/en.json'], { import: 'default' }),
);
export { ready };

export function Screen() {
  const { timezone } = useBusiness();
  const date = dateAt(Date.now(), timezone);
  const events = useCall('GET /events', {
    query: {
      local_starts_at_gte: `${date}T00:00`,
      local_starts_at_lte: `${date}T23:59`,
      sort: ['start'],
      page_size: 100,
    },
    fields: ['id', 'name', 'starts_at', 'ends_at', 'timezone', 'attending_count', 'max_occupancy'],
  });
  if (events.error) return <Failed error={events.error} again={() => void events.refetch()} />;
  if (!events.data) return <Loading />;
  return (
    <>
      <h1>{say('title')}</h1>
      <p className="soft">{longDayOf(Date.now(), timezone)}</p>
      {events.data.results.length === 0 ? <Empty title={say('none')} /> : null}
      <ul className="rows">
        {events.data.results.map((event) => (
          <li key={event.id}>
            <strong>{event.name}</strong> {timesOf(event.starts_at, event.ends_at, timezone)}{' '}
            <span className="soft">
              {say('spots', { booked: event.attending_count, places: event.max_occupancy ?? '∞' })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
