/** The events of some days as a list, for phones and for reading. */
import { bookedOf, timesOfWalls, roomAndInstructors } from './chip.tsx';
import { DAY, parseWall } from './wall.ts';
import { longDay } from './columns.ts';
import type { CalendarEvent } from './events.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { words } from './words.ts';
import { words as ofSubstitutes } from '../../substitutes/words.ts';

export interface ListProps {
  readonly dates: readonly string[];
  readonly events: readonly CalendarEvent[];
  /** true while the events are those of other dates */
  readonly busy: boolean;
  readonly onOpen: (event: CalendarEvent) => void;
}

export function List({ dates, events, busy, onOpen }: ListProps) {
  const days = dates.map((date) => {
    const midnight = parseWall(date)!;
    return { date, found: events.filter(({ from }) => midnight <= from && from < midnight + DAY) };
  });
  const shown = days.filter(({ found }) => found.length > 0);
  if (shown.length === 0) return busy ? <Loading /> : <Empty title={words.say('none')} />;
  return (
    <div className="agenda" aria-busy={busy}>
      {shown.map(({ date, found }) => (
        <section key={date} aria-labelledby={`day-${date}`}>
          <h2 id={`day-${date}`}>{longDay(date)}</h2>
          <ul className="rows">
            {found
              .toSorted((a, b) => a.from - b.from)
              .map((event) => (
                <li key={event.id} className={event.status === 'cancelled' ? 'cancelled' : undefined}>
                  <span className="times">{timesOfWalls(event.from, event.to)}</span>
                  <button type="button" className="plain strong what" onClick={() => onOpen(event)}>
                    {event.name}
                  </button>
                  <span className="end">
                    {event.status === 'cancelled' ? (
                      <span className="tag wrong">{words.say('cancelled')}</span>
                    ) : (
                      <>
                        {bookedOf(event)}
                        {event.substitute_wanted ? (
                          <span className="tag wrong">{ofSubstitutes.say('wanted')}</span>
                        ) : null}
                      </>
                    )}
                  </span>
                  <span className="soft small where">
                    {[event.venue?.name, roomAndInstructors(event)].filter(Boolean).join(' · ')}
                  </span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
