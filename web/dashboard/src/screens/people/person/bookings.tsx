import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Book } from '../../../person/book.tsx';
import { clientOf } from '../../../app/client.ts';
import { dayOf, timesOf } from '../../../words/times.ts';
import { Listed } from '../../../ui/listed.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { mayMove, type Booking } from '../../../moves/dates.tsx';
import { Move } from '../../../moves/move.tsx';
import { nameOf } from '../../../app/customers.ts';
import { usePages } from '../../../app/pages.ts';
import { usePropose } from '../../../changes/change.tsx';
import { PastVisits } from './past-visits.tsx';
import { words } from './words.ts';
import { words as moves } from '../../../moves/words.ts';
import { words as ofPerson } from '../../../person/words.ts';
import type { TabProps } from './person.ts';

const PAGE = 20;

export function Bookings({ person }: TabProps) {
  const business = useBusiness();
  const [booking, setBooking] = useState(false);
  return (
    <>
      {may(business, 'attendances', 'instructor_attendances') ? (
        <p>
          <button type="button" onClick={() => setBooking(true)}>
            {ofPerson.say('book')}
          </button>
        </p>
      ) : null}
      {may(business, 'manage_events', 'attendances', 'pos') ? (
        <p>
          <Link
            to={`/${business.id}/appointments` as string}
            search={{ tab: 'standing', customer: String(person.id) } as never}
          >
            {words.say('bookings.standing')}
          </Link>
        </p>
      ) : null}
      <h3>{words.say('bookings.coming')}</h3>
      <Half person={person} coming />
      <h3>{words.say('bookings.past')}</h3>
      <Half person={person} coming={false} />
      <PastVisits person={person} />
      {booking ? <Book person={person} onClose={() => setBooking(false)} /> : null}
    </>
  );
}

function Half({ person, coming }: TabProps & { readonly coming: boolean }) {
  const business = useBusiness();
  const propose = usePropose();
  const [now] = useState(() => new Date().toISOString());
  const [moving, setMoving] = useState<Booking | null>(null);
  const list = usePages('GET /attendances', {
    query: {
      customer: [person.id],
      sort: [coming ? 'event_starts_at' : '-event_starts_at'],
      page_size: PAGE,
      ...(coming ? { event_starts_at_gte: now } : { event_starts_at_lte: now }),
    },
    fields: [
      'id',
      'status',
      'event.id',
      'event.name',
      'event.starts_at',
      'event.ends_at',
      'event.timezone',
      'event.status',
      'event.offering_type.id',
      'event.offering_type.schedule_type',
      'waitlist_spot.status',
      'customer_membership.name',
    ],
  });
  const cancel = (event: number, name: string): void =>
    void propose({
      title: words.say('bookings.cancel.title', { name }),
      confirm: words.say('bookings.cancel.confirm'),
      call: () =>
        clientOf(business.id).call('POST /events/{id}/unregister', {
          params: { id: event },
          body: { customer: person.id },
        }),
      done: words.say('bookings.cancelled', { name }),
    });
  return (
    <>
      <Listed list={list} none={words.say(coming ? 'bookings.none' : 'bookings.none.past')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map(
              ({ id, status, event, customer_membership, waitlist_spot }) =>
                event && (
                  <li key={id}>
                    <span className="times">
                      {dayOf(event.starts_at, event.timezone)},{' '}
                      {timesOf(event.starts_at, event.ends_at, event.timezone)}
                    </span>
                    <span>
                      <strong>{event.name}</strong>{' '}
                      <span className="soft small">{customer_membership ? customer_membership.name : null}</span>
                    </span>
                    <span className="end tag">
                      {event.status === 'cancelled'
                        ? words.say('bookings.event_cancelled')
                        : status === 'not_registered' && waitlist_spot
                          ? words.say('bookings.waiting')
                          : words.say(`attendance.${status}`)}
                    </span>
                    {coming && status === 'registered' && mayMove(business, event) ? (
                      <button
                        type="button"
                        className="second"
                        aria-label={moves.say('move.of', { name: event.name })}
                        onClick={() => setMoving({ id, who: nameOf(person), event })}
                      >
                        {moves.say('move')}
                      </button>
                    ) : null}
                    {coming && status === 'registered' && may(business, 'attendances', 'instructor_attendances') ? (
                      <button
                        type="button"
                        className="second"
                        aria-label={words.say('bookings.cancel.title', { name: event.name })}
                        onClick={() => cancel(event.id, event.name)}
                      >
                        {words.say('bookings.cancel')}
                      </button>
                    ) : null}
                  </li>
                ),
            )}
          </ul>
        )}
      </Listed>
      {moving ? <Move booking={moving} onClose={() => setMoving(null)} /> : null}
    </>
  );
}
