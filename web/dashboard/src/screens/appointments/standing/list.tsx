/** The standing bookings of customers, when they end, and the actions on them. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { calendarDayOf } from '../../../words/times.ts';
import { ChangeStanding } from './change.tsx';
import { ChoiceFilter, CustomerFilter } from '../../../ui/filters.tsx';
import { Dates } from './dates.tsx';
import { EndStanding } from './end.tsx';
import { Listed, NextSteps, type NextStep } from '../../../ui/listed.tsx';
import { MAY_BOOK, mayBook } from '../offered.ts';
import { maySeeCustomers } from '../../../app/customers.ts';
import { NewStanding } from './new.tsx';
import { RowButton } from '../../../ui/row-button.tsx';
import { useAddress } from '../../../app/address.ts';
import { useBusiness } from '../../../app/business.ts';
import { usePages } from '../../../app/pages.ts';
import { everyOf, whoseOf } from './labels.ts';
import { words } from '../words.ts';
import type { ItemOf } from 'rollcall-sdk';

const FIELDS = [
  'id',
  'status',
  'weekday',
  'local_time',
  'start_date',
  'end_date',
  'times',
  'on_conflict',
  'offering_type.name',
  'offering_type.schedule_type',
  'venue.name',
  'venue.timezone',
  'instructor.name',
  'venue_room.name',
  'customer.id',
  'customer.first_name',
  'customer.last_name',
] as const;

export type Standing = ItemOf<'GET /recurring_reservations', (typeof FIELDS)[number]>;

type Doing = 'dates' | 'change' | 'end';

export function StandingBookings() {
  const business = useBusiness();
  const [{ customer, standing }] = useAddress();
  const status = standing === 'ended' ? 'ended' : 'active';
  const [adding, setAdding] = useState(false);
  const [doing, setDoing] = useState<{ readonly what: Doing; readonly one: Standing } | null>(null);
  const close = (): void => setDoing(null);
  const list = usePages(
    'GET /recurring_reservations',
    {
      query: {
        status: [status],
        ...(Number(customer) && { customer: [Number(customer)] }),
        sort: ['-created_at'],
        page_size: 50,
      },
      fields: FIELDS,
    },
    { keep: true },
  );
  const changes = mayBook(business);
  const next: readonly NextStep[] = changes
    ? [{ label: words.say('standing.new'), needs: MAY_BOOK, act: () => setAdding(true) }]
    : [];
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filter.standing')}>
        <ChoiceFilter
          name="standing"
          label={words.say('status')}
          choices={[
            ['active', words.say('status.active')],
            ['ended', words.say('status.ended')],
          ]}
        />
        <CustomerFilter name="customer" label={words.say('customer')} />
        <NextSteps list={list} next={next} />
      </div>
      <Listed list={list} none={words.say(status === 'active' ? 'standing.none' : 'standing.none.ended')} next={next}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => {
              const name = whoseOf(one);
              return (
                <li key={one.id}>
                  <span>
                    {one.customer && maySeeCustomers(business) ? (
                      <Link to={`/${business.id}/people/${one.customer.id}` as string}>
                        <strong>{name}</strong>
                      </Link>
                    ) : (
                      <strong>{name}</strong>
                    )}
                    <br />
                    <span>{everyOf(one)}</span>
                    <br />
                    <span className="soft small">
                      {[one.offering_type?.name, one.instructor?.name, one.venue?.name, one.venue_room?.name]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span className="end soft">{lengthOf(one)}</span>
                  <span className="row-actions">
                    <RowButton
                      text={words.say('dates')}
                      about={name}
                      onClick={() => setDoing({ what: 'dates', one })}
                    />
                    {changes && one.status === 'active' ? (
                      <>
                        <RowButton
                          text={words.say('change')}
                          about={name}
                          onClick={() => setDoing({ what: 'change', one })}
                        />
                        <RowButton
                          text={words.say('end')}
                          about={name}
                          onClick={() => setDoing({ what: 'end', one })}
                        />
                      </>
                    ) : null}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Listed>
      {adding ? <NewStanding onClose={() => setAdding(false)} /> : null}
      {doing?.what === 'dates' ? <Dates standing={doing.one} onClose={close} /> : null}
      {doing?.what === 'change' ? <ChangeStanding standing={doing.one} onClose={close} /> : null}
      {doing?.what === 'end' ? <EndStanding standing={doing.one} onClose={close} /> : null}
    </>
  );
}

/** Returns how long the standing booking continues. */
function lengthOf({ end_date, times }: Standing): string {
  const said = [
    times === null ? null : words.say('times.n', { n: times }),
    end_date === null ? null : words.say('until', { day: calendarDayOf(end_date) }),
  ].filter((one) => one !== null);
  return said.length > 0 ? said.join(' · ') : words.say('until.ended');
}
