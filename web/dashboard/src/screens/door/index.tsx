/** Today's check-in screen: current and next classes by venue, and a search over the booked customers. */
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import './door.css';
import { dateAt, longDayOf } from '../../words/times.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Classes } from './classes.tsx';
import { isNamed, nameOf } from './people.ts';
import { Unsent } from './marks/unsent.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useComing, useDay, type DoorEvent } from './read.ts';
import { useDeferred } from '../../app/deferred.ts';
import { useNow } from '../../app/now.ts';
import { useOnline } from './marks/use-marks.ts';
import { useShortcuts } from '../../shell/keys.ts';
import { timeOf } from '../../words/times.ts';
import { Kept } from '../../ui/kept.tsx';
import { HomePage } from '../../ui/page.tsx';
import { words } from './words.ts';

export const { ready } = words;

/** As many as fit on a screen. */
const MAX_FOUND = 30;

export function Screen() {
  const { timezone } = useBusiness();
  const now = useNow();
  const online = useOnline();
  const [{ venue, q = '' }, change] = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const date = dateAt(now, timezone);
  const day = useDay(date);
  useShortcuts(useKeys(field));
  const events = day.data?.results ?? [];
  const venues = [...new Map(events.map((event) => [event.venue!.id, event.venue!.name]))];
  const shown = venue ? events.filter((event) => String(event.venue!.id) === venue) : events;
  return (
    <HomePage
      className="door"
      title={words.say('title')}
      about={<p className="soft">{longDayOf(now, timezone)}</p>}
      tools={
        <div className="tools">
          <label className="search">
            {words.say('search')}
            <input
              ref={field}
              type="search"
              value={q}
              aria-keyshortcuts="/"
              placeholder={words.say('search.hint')}
              onChange={({ target }) => change({ q: target.value })}
            />
          </label>
          {venues.length > 1 ? (
            <label>
              {words.say('venue')}
              <select value={venue ?? ''} onChange={({ target }) => change({ venue: target.value })}>
                <option value="">{words.say('venue.all')}</option>
                {venues.map(([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
        </div>
      }
    >
      <Unsent />
      {day.error && !day.data ? <Failed error={day.error} again={() => void day.refetch()} /> : null}
      {!day.data && !day.error ? online ? <Loading /> : <Empty title={words.say('unread')} /> : null}
      {day.data && q.trim() !== '' ? <Found date={date} events={events} text={q} /> : null}
      {day.data && q.trim() === '' ? (
        <Kept read={day}>
          <Classes events={shown} now={now} />
        </Kept>
      ) : null}
    </HomePage>
  );
}

/** Focuses the search with `/`. */
function useKeys(field: { readonly current: HTMLInputElement | null }): Readonly<Record<string, () => void>> {
  const [keys] = useState(() => ({ '/': () => field.current?.focus() }));
  return keys;
}

function Found({
  date,
  events,
  text,
}: {
  readonly date: string;
  readonly events: readonly DoorEvent[];
  readonly text: string;
}) {
  const { id: business } = useBusiness();
  const wanted = useDeferred(text.trim());
  const coming = useComing(
    date,
    events.map(({ id }) => id),
    wanted !== '',
  );
  if (coming.error && !coming.data) return <Failed error={coming.error} again={() => void coming.refetch()} />;
  if (!coming.data && events.length > 0) return <Loading />;
  const byId = new Map(events.map((event) => [event.id, event]));
  const found = (coming.data?.pages ?? [])
    .flatMap(({ results }) => results)
    .filter((one) => byId.has(one.event!.id) && isNamed(nameOf(one), wanted))
    .slice(0, MAX_FOUND);
  return (
    <section aria-labelledby="found">
      <h2 id="found">{words.say('found')}</h2>
      {found.length === 0 && !coming.hasNextPage ? (
        <Empty title={words.say('found.none')}>
          <p>{words.say('found.none.next')}</p>
        </Empty>
      ) : null}
      <ul className="rows">
        {found.map((one) => {
          const event = byId.get(one.event!.id)!;
          return (
            <li key={one.id}>
              <Link
                className="door-link"
                to={`/${business}/door/${event.id}` as string}
                search={{ q: nameOf(one) } as never}
              >
                <strong>{nameOf(one)}</strong>
                <span className="soft">
                  {timeOf(event.starts_at, event.timezone)} · {event.name} · {event.venue!.name}
                </span>
              </Link>
              <span className="end tag">{words.say(`status.${one.status}`)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
