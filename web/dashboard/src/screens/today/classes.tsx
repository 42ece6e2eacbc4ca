import { sumPlaces } from '../../app/both-places.ts';
import { Link } from '@tanstack/react-router';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { partsOf, type When } from '../../app/when.ts';
import { useEvents, type DayEvent } from './events.ts';
import { timesOf } from '../../words/times.ts';
import { words } from './words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';

const ORDER: readonly When[] = ['now', 'next', 'later', 'over'];

export interface ClassesProps {
  readonly venue: number | null;
  /** `2026-11-23` */
  readonly date: string;
  readonly now: number;
}

export function Classes({ venue, date, now }: ClassesProps) {
  const business = useBusiness();
  const events = useEvents(date, venue);
  if (events.error) return <Failed error={events.error} again={() => void events.refetch()} />;
  if (!events.data) return <Loading />;
  const { results } = events.data;
  const parts = partsOf(results, now);
  const sum = (of: (event: DayEvent) => number): number =>
    results.filter(({ status }) => status === 'active').reduce((total, event) => total + of(event), 0);
  return (
    <div>
      <p className="numbers">
        {words.say('coming', { n: sum((event) => sumPlaces(event).booked) })}{' '}
        <span className="soft">{words.say('waiting', { n: sum((event) => sumPlaces(event).waiting) })}</span>
      </p>
      {results.length === 0 ? (
        <Empty title={words.say('none')}>
          {may(business, 'manage_events') ? (
            <p>
              <Link to={`/${business.id}/calendar` as string}>{words.say('none.next')}</Link>
            </p>
          ) : null}
        </Empty>
      ) : null}
      {ORDER.map((when) => {
        const shown = parts.get(when) ?? [];
        return shown.length === 0 ? null : (
          <section key={when} aria-labelledby={`part-${when}`}>
            <h2 id={`part-${when}`}>{words.say(`part.${when}`)}</h2>
            <ul className="rows">
              {shown.map((event) => (
                <Row key={event.id} event={event} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Row({ event }: { readonly event: DayEvent }) {
  const business = useBusiness();
  const { id, name, status, starts_at, ends_at, timezone } = event;
  const { booked, waiting, places } = sumPlaces(event);
  const where = [event.venue?.name, event.venue_room?.name, ...event.instructors.map((one) => one.name)]
    .filter(Boolean)
    .join(' · ');
  return (
    <li className={status === 'cancelled' ? 'cancelled' : undefined}>
      <span className="times">{timesOf(starts_at, ends_at, timezone)}</span>
      <span className="what">
        <strong>{name}</strong>
        <br />
        <span className="soft small">{where}</span>
      </span>
      <span className="end">
        {status === 'cancelled' ? (
          <span className="tag wrong">{words.say('cancelled')}</span>
        ) : (
          <>
            {places === null ? words.say('booked', { n: booked }) : words.say('booked.of', { n: booked, places })}
            {waiting > 0 ? <span className="tag">{words.say('waiting', { n: waiting })}</span> : null}
            {event.substitute_wanted ? <span className="tag wrong">{ofSubstitutes.say('wanted')}</span> : null}
          </>
        )}
      </span>
      {status === 'active' && may(business, 'attendances', 'instructor_attendances', 'pos') ? (
        <Link
          className="second"
          to={`/${business.id}/door/${id}` as string}
          aria-label={words.say('roster.of', { name })}
        >
          {words.say('roster')}
        </Link>
      ) : null}
    </li>
  );
}
