/** The roster of one class: booked, checked-in and waitlisted customers. */
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import './door.css';
import { Book, type Someone } from './book/book.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isNamed, nameOf, partsOf } from './people.ts';
import { longDayOf, timesOf } from '../../words/times.ts';
import { marks, useEvent, useRoster, type DoorEvent, type Person } from './read.ts';
import { People } from './roster/people.tsx';
import { PersonDialog } from './roster/person.tsx';
import { Scan } from './scan/scan.tsx';
import { marksIn, type Status } from './marks/queue.ts';
import { toast } from '../../ui/toasts.tsx';
import { Unsent } from './marks/unsent.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { useMarks, useOnline } from './marks/use-marks.ts';
import { useShortcuts } from '../../shell/keys.ts';
import { Waiting } from './roster/waiting.tsx';
import { DetailsPage } from '../../ui/page.tsx';
import { words } from './words.ts';
import { words as ofPerson } from '../../person/words.ts';
import { words as moves } from '../../moves/words.ts';
import plus from 'icon:user-plus';
import undoIcon from 'icon:undo-2';

export const ready = Promise.all([words.ready, ofPerson.ready, moves.ready]).then(() => {});

export function Screen() {
  const id = Number((useParams({ strict: false }) as { readonly event?: string }).event);
  const event = useEvent(id);
  const online = useOnline();
  const found = event.data?.results[0];
  if (found) return <Roster key={id} event={found} />;
  return (
    <DetailsPage className="door" title={words.say('roster')} back={{ to: 'door', label: words.say('back') }}>
      {event.error ? (
        <Failed error={event.error} again={() => void event.refetch()} />
      ) : event.data || !online ? (
        <Empty title={words.say(event.data ? 'not_yours' : 'unread')} />
      ) : (
        <Loading />
      )}
    </DetailsPage>
  );
}

/** The last mark, for undo. */
interface Last {
  readonly attendance: number;
  readonly name: string;
  readonly status: Status;
  readonly before: Status;
}

function Roster({ event }: { readonly event: DoorEvent }) {
  const business = useBusiness();
  const online = useOnline();
  const people = useRoster(event.id, true);
  const [queue, keeper] = useMarks();
  const [{ q = '' }, change] = useAddress();
  const [last, setLast] = useState<Last | null>(null);
  const [booking, setBooking] = useState<{ readonly who: Someone | null } | null>(null);
  const [about, setAbout] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const read = useMemo(() => (people.data?.pages ?? []).flatMap(({ results }) => results), [people.data]);
  const { booked, waiting, cancelled } = useMemo(() => partsOf(read, marksIn(queue)), [read, queue]);
  const again = (): void => void people.refetch();

  const mark = useCallback(
    (person: Person, status: Status): void => {
      const name = nameOf(person);
      if (keeper.mark({ attendance: person.id, event: event.id, name, status }))
        setLast({ attendance: person.id, name, status, before: person.status as Status });
      else toast({ text: words.say('too_many'), wrong: true });
    },
    [keeper, event.id],
  );
  const undo = useCallback(() => {
    if (!last) return;
    keeper.mark({ attendance: last.attendance, event: event.id, name: last.name, status: last.before });
    setLast(null);
  }, [keeper, last, event.id]);
  useShortcuts(useMemo(() => ({ '/': () => field.current?.focus(), u: undo }), [undo]));

  const here = booked.filter(({ status }) => status === 'attended').length;
  const shown = q.trim() === '' ? booked : booked.filter((one) => isNamed(nameOf(one), q.trim()));
  const { name, starts_at, ends_at, timezone, max_occupancy: places, online_max_occupancy: most } = event;
  const there = booked.filter(({ place }) => place === 'venue').length;
  const where = [event.venue?.name, event.venue_room?.name, ...event.instructors.map((one) => one.name)];
  const open = event.status === 'active';
  const person = read.find(({ id }) => id === about);
  return (
    <DetailsPage
      className="door"
      back={{ to: 'door', label: words.say('back') }}
      title={name}
      about={
        <p className="soft">
          {timesOf(starts_at, ends_at, timezone)} · {longDayOf(starts_at, timezone)}
          <br />
          {where.filter(Boolean).join(' · ')}
        </p>
      }
      tools={
        <p className="numbers" role="status">
          {words.say('here', { n: here, booked: booked.length })}
          <br />
          <span className="soft small">
            {places === null ? null : words.say('places', { n: Math.max(0, places - there), places })}
            {most === null ? null : (
              <>
                <br />
                {words.say('booked.online', { n: booked.length - there, places: most })}
              </>
            )}
          </span>
        </p>
      }
    >
      {open ? null : <p className="notice wrong">{words.say('cancelled.event')}</p>}
      <Unsent />
      <div className="roster">
        <section aria-labelledby="booked">
          <div className="tools">
            <h2 id="booked">{words.say('booked.title')}</h2>
            <label className="search">
              <span className="unseen">{words.say('filter')}</span>
              <input
                ref={field}
                type="search"
                value={q}
                placeholder={words.say('filter')}
                aria-keyshortcuts="/"
                onChange={({ target }) => change({ q: target.value })}
                onKeyDown={(press) => {
                  if (press.key !== 'ArrowDown') return;
                  press.preventDefault();
                  document.querySelector<HTMLElement>('.people button')?.focus();
                }}
              />
            </label>
            {open ? (
              <button type="button" disabled={!online} onClick={() => setBooking({ who: null })}>
                <Icon of={plus} /> {words.say('book')}
              </button>
            ) : null}
          </div>
          {people.error && !people.data ? <Failed error={people.error} again={again} /> : null}
          {!people.data && !people.error ? online ? <Loading /> : <Empty title={words.say('unread')} /> : null}
          {people.data && shown.length === 0 ? (
            <Empty title={words.say(booked.length === 0 ? 'empty' : 'filter.none')}>
              <p>{words.say(booked.length === 0 ? 'empty.next' : 'filter.none.next')}</p>
            </Empty>
          ) : null}
          <People people={shown} onMark={open && marks(business) ? mark : null} onMore={(one) => setAbout(one.id)} />
          <div className="undo" role="status">
            {last ? (
              <>
                <span>{words.say(`marked.${last.status}`, { name: last.name })}</span>
                <button type="button" className="second" aria-keyshortcuts="u" onClick={undo}>
                  <Icon of={undoIcon} /> {words.say('undo')}
                </button>
              </>
            ) : null}
          </div>
        </section>
        <div className="aside">
          {open ? <Scan event={event} booked={booked} onMark={mark} onBook={(who) => setBooking({ who })} /> : null}
          <Waiting
            waiting={waiting}
            cancelled={cancelled}
            event={event}
            onBook={(who) => setBooking({ who })}
            onChanged={again}
          />
        </div>
      </div>
      {booking ? <Book event={event} first={booking.who} onClose={() => setBooking(null)} onChanged={again} /> : null}
      {person && !booking ? (
        <PersonDialog event={event} person={person} onClose={() => setAbout(null)} onChanged={again} />
      ) : null}
    </DetailsPage>
  );
}
