import { COUNT_FIELDS, sumPlaces, type Counts } from '../../app/both-places.ts';
import { Link } from '@tanstack/react-router';
import { Ask, useMyRequests } from '../../substitutes/mine.tsx';
import { dayOf, timesOf } from '../../words/times.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { None } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { words } from './words.ts';

const SHOWN = 12;
const HOUR = 3_600_000;

export function Teaching() {
  const business = useBusiness();
  const now = useNow();
  // Rounded to the hour: the exact time would change with every tick, and the query with it.
  const hour = new Date(Math.floor(now / HOUR) * HOUR).toISOString();
  const found = useCall('GET /events', {
    query: { instructors: 'me', ends_at_gte: hour, status: ['active'], sort: ['start'], page_size: SHOWN },
    fields: ['id', 'name', 'starts_at', 'ends_at', 'timezone', ...COUNT_FIELDS, 'venue.name', 'venue_room.name'],
  });
  const asked = useMyRequests();
  const all = found.data?.results.filter(({ ends_at }) => Date.parse(ends_at) > now);
  return (
    <section className="card" aria-labelledby="teaching">
      <h2 id="teaching">{words.say('teaching')}</h2>
      {found.error ? <Failed error={found.error} again={() => void found.refetch()} /> : null}
      {asked.error && !found.error ? <Failed error={asked.error} again={() => void asked.refetch()} /> : null}
      {!all && !found.error ? <Loading /> : null}
      {all?.length === 0 ? <None text={words.say('teaching.none')} /> : null}
      <ul className="plain-list">
        {all?.map((event) => (
          <li key={event.id} className="line">
            <span>
              <strong>{event.name}</strong>
              <br />
              <span className="small">
                {dayOf(event.starts_at, event.timezone)}, {timesOf(event.starts_at, event.ends_at, event.timezone)}
              </span>
              <br />
              <span className="soft small">
                {[event.venue?.name, event.venue_room?.name].filter(Boolean).join(' · ')}
              </span>
            </span>
            <span className="end small">{countsText(event)}</span>
            {may(business, 'attendances', 'instructor_attendances', 'pos') ? (
              <Link
                className="second"
                to={`/${business.id}/door/${event.id}` as string}
                aria-label={words.say('roster.of', { name: event.name, day: dayOf(event.starts_at, event.timezone) })}
              >
                {words.say('roster')}
              </Link>
            ) : null}
            {asked.requests && Date.parse(event.starts_at) > now ? (
              <Ask event={event} request={asked.requests.get(event.id)} />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function countsText(event: Counts): string {
  const { booked, waiting, places } = sumPlaces(event);
  const text = places === null ? words.say('booked', { n: booked }) : words.say('booked.of', { n: booked, places });
  return waiting > 0 ? `${text} · ${words.say('waiting', { n: waiting })}` : text;
}
