/** Upcoming appointments and rentals with their customers, and moving or cancelling them. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { clientOf } from '../../app/client.ts';
import { CustomerFilter } from '../../ui/filters.tsx';
import { dayOf, timesOf } from '../../words/times.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Listed, None } from '../../ui/listed.tsx';
import { mayBook, useOffered, type Offered } from './offered.ts';
import { maySeeCustomers, nameOf } from '../../app/customers.ts';
import { RowButton } from '../../ui/row-button.tsx';
import { useAddress } from '../../app/address.ts';
import { useBusiness } from '../../app/business.ts';
import { usePages } from '../../app/pages.ts';
import { usePropose } from '../../changes/change.tsx';
import { words } from './words.ts';

export function Booked() {
  const { offered, error, again } = useOffered();
  if (error && !offered) return <Failed error={error} again={again} />;
  if (!offered) return <Loading />;
  if (offered.length === 0) return <None text={words.say('booked.none')} />;
  return <Bookings offered={offered} />;
}

function Bookings({ offered }: { readonly offered: readonly Offered[] }) {
  const business = useBusiness();
  const propose = usePropose();
  const [{ customer }] = useAddress();
  const [now] = useState(() => new Date().toISOString());
  const list = usePages('GET /attendances', {
    query: {
      offering_types: offered.map(({ id }) => id),
      status: ['registered'],
      event_starts_at_gte: now,
      ...(Number(customer) && { customer: [Number(customer)] }),
      sort: ['event_starts_at'],
      page_size: 50,
    },
    fields: [
      'id',
      'customer.id',
      'customer.first_name',
      'customer.last_name',
      'event.id',
      'event.name',
      'event.starts_at',
      'event.ends_at',
      'event.timezone',
      'event.offering_type.id',
      'event.venue.name',
      'event.venue_room.name',
      'event.instructors.name',
    ],
  });
  const cancel = (event: number, whose: number, name: string, what: string): void =>
    void propose({
      title: words.say('cancel.of', { what, name }),
      confirm: words.say('cancel.confirm'),
      done: words.say('cancelled', { name }),
      grave: true,
      call: () =>
        clientOf(business.id).call('POST /events/{id}/unregister', {
          params: { id: event },
          body: { customer: whose },
        }),
    });
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filter.booked')}>
        <CustomerFilter name="customer" label={words.say('customer')} />
      </div>
      <Listed list={list} none={words.say(customer ? 'booked.none.of' : 'booked.none')} next={[]}>
        {(all) => (
          <ul className="rows">
            {all.map(({ id, customer: whose, event }) => {
              if (!event || !whose) return null;
              const name = nameOf(whose);
              const about = `${event.name}, ${name}`;
              return (
                <li key={id}>
                  <span>
                    <strong>
                      {dayOf(event.starts_at, event.timezone)},{' '}
                      {timesOf(event.starts_at, event.ends_at, event.timezone)}
                    </strong>
                    <br />
                    <span className="soft small">
                      {[
                        event.name,
                        event.instructors.map((one) => one.name).join(', '),
                        event.venue?.name,
                        event.venue_room?.name,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  {maySeeCustomers(business) ? (
                    <Link className="end" to={`/${business.id}/people/${whose.id}` as string}>
                      {name}
                    </Link>
                  ) : (
                    <span className="end">{name}</span>
                  )}
                  {mayBook(business) ? (
                    <span className="row-actions">
                      <Link
                        className="second"
                        aria-label={`${words.say('move')}: ${about}`}
                        to="."
                        search={
                          { tab: 'free', offering: String(event.offering_type?.id), move: String(event.id) } as never
                        }
                        activeProps={{}}
                      >
                        {words.say('move')}
                      </Link>
                      <RowButton
                        text={words.say('cancel')}
                        about={about}
                        onClick={() => cancel(event.id, whose.id, name, event.name)}
                      />
                    </span>
                  ) : null}
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
    </>
  );
}
