/** The classes of a day by venue: current, next and the rest. */
import { Link } from '@tanstack/react-router';
import { Empty } from '../../ui/states.tsx';
import { partsOf, type When } from '../../app/when.ts';
import { seesAll, type DoorEvent } from './read.ts';
import { timesOf } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { words } from './words.ts';

const ORDER: readonly When[] = ['now', 'next', 'later', 'over'];

export function Classes({ events, now }: { readonly events: readonly DoorEvent[]; readonly now: number }) {
  const business = useBusiness();
  if (events.length === 0)
    return (
      <Empty title={words.say(seesAll(business) ? 'none' : 'none.mine')}>
        <p>{words.say('none.next')}</p>
      </Empty>
    );
  const venues = Map.groupBy(events, ({ venue }) => venue!.name);
  return [...venues]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([venue, there], i) => {
      const parts = partsOf(there, now);
      return (
        <section key={venue} aria-labelledby={`venue-${i}`}>
          <h2 id={`venue-${i}`}>{venue}</h2>
          <ul className="rows">
            {ORDER.flatMap((when) =>
              (parts.get(when) ?? []).map((event) => <Class key={event.id} {...{ event, when }} />),
            )}
          </ul>
        </section>
      );
    });
}

function Class({ event, when }: { readonly event: DoorEvent; readonly when: When }) {
  const { id: business } = useBusiness();
  const { id, name, starts_at, ends_at, timezone, attending_count: n, max_occupancy: places } = event;
  const { online_attending_count: online, online_max_occupancy: most } = event;
  const waiting = event.waiting_count + event.online_waiting_count;
  const where = [event.venue_room?.name, ...event.instructors.map((one) => one.name)].filter(Boolean).join(' · ');
  return (
    <li className={when === 'over' ? 'over' : undefined}>
      <Link className="door-link" to={`/${business}/door/${id}` as string}>
        <span className="times">{timesOf(starts_at, ends_at, timezone)}</span>
        <strong>{name}</strong>
        <span className="soft">{where}</span>
      </Link>
      <span className="end">
        {when === 'now' || when === 'next' ? (
          <span className={when === 'now' ? 'tag good' : 'tag'}>{words.say(`part.${when}`)}</span>
        ) : null}{' '}
        {places === null ? words.say('booked', { n }) : words.say('booked.of', { n, places })}{' '}
        {most === null ? null : `· ${words.say('booked.online', { n: online, places: most })} `}
        {waiting > 0 ? <span className="tag">{words.say('waiting', { n: waiting })}</span> : null}
      </span>
    </li>
  );
}
