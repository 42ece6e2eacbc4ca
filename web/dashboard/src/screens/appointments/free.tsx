/** Free times by day: booking one, or moving an appointment to it. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ChoiceFilter, DayFilter } from '../../ui/filters.tsx';
import { dateAt, longDayOf, timeOf } from '../../words/times.ts';
import { daysAfter } from '../../app/days.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { Moving } from './moving.tsx';
import { SlotShown } from './slot.tsx';
import { ui } from '../../ui/words.ts';
import { useAddress } from '../../app/address.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { useOffered, type Offered } from './offered.ts';
import { useSlots, type Slot } from './slots.ts';
import { whomOf } from './labels.ts';
import { WhyNot } from './why-not.tsx';
import { words } from './words.ts';

const DAYS = 7;

export function Free() {
  const business = useBusiness();
  const { offered, error, again } = useOffered();
  if (error && !offered) return <Failed error={error} again={again} />;
  if (!offered) return <Loading />;
  if (offered.length === 0)
    return (
      <Empty title={words.say('nothing_offered')}>
        {may(business, 'manage_events') ? (
          <p>
            <Link to={`/${business.id}/settings/offerings` as string}>{words.say('nothing_offered.next')}</Link>
          </p>
        ) : (
          <p>{words.say('nothing_offered.ask')}</p>
        )}
      </Empty>
    );
  return <Times offered={offered} />;
}

function Times({ offered }: { readonly offered: readonly Offered[] }) {
  const { timezone } = useBusiness();
  const [address, change] = useAddress();
  const today = dateAt(useNow(), timezone);
  const instructors = useCall('GET /instructors', {
    query: { status: 'active', page_size: 100 },
    fields: ['id', 'name'],
  });
  const offering = offered.find(({ id }) => String(id) === address.offering) ?? offered[0];
  const from = /^\d{4}-\d\d-\d\d$/.test(address.from ?? '') && address.from! > today ? address.from! : today;
  const to = daysAfter(from, DAYS - 1);
  const isAppointment = offering.kind === 'appointment';
  const instructor = isAppointment ? (address.instructor ?? '') : '';
  const asked = { offering: offering.id, instructor, from, to };
  const slots = useSlots(asked);
  const [chosen, setChosen] = useState<Slot | null>(null);
  const move = Number(address.move) || null;
  const days = Map.groupBy(slots.data?.pages.flatMap(({ results }) => results) ?? [], ({ local_starts_at }) =>
    local_starts_at.slice(0, 10),
  );
  return (
    <>
      {move === null ? null : <Moving event={move} />}
      <div className="tools" role="search" aria-label={words.say('filter')}>
        <ChoiceFilter
          name="offering"
          label={words.say('what')}
          choices={offered.map(({ id, name }) => [String(id), name] as const)}
        />
        {isAppointment ? (
          <ChoiceFilter
            name="instructor"
            label={words.say('with')}
            any={words.say('with.each')}
            choices={[
              ['any', words.say('with.any')],
              ...(instructors.data?.results ?? []).map(({ id, name }) => [String(id), name] as const),
            ]}
          />
        ) : null}
        <DayFilter name="from" label={words.say('from')} usual={from} />
        <span className="row-actions">
          <button
            type="button"
            className="second"
            disabled={from === today}
            onClick={() => {
              const before = daysAfter(from, -DAYS);
              change({ from: before > today ? before : undefined });
            }}
          >
            {words.say('earlier')}
          </button>
          <button type="button" className="second" onClick={() => change({ from: daysAfter(from, DAYS) })}>
            {words.say('later')}
          </button>
        </span>
      </div>
      {slots.error && !slots.data ? <Failed error={slots.error} again={() => void slots.refetch()} /> : null}
      {!slots.data && !slots.error ? <Loading /> : null}
      {slots.data && days.size === 0 ? (
        <Empty title={words.say('none')}>
          <p>{words.say(isAppointment ? 'none.next' : 'none.rooms')}</p>
        </Empty>
      ) : null}
      {[...days].map(([date, some]) => (
        <section key={date} aria-labelledby={`day-${date}`}>
          <h2 id={`day-${date}`}>{longDayOf(some[0].starts_at, some[0].timezone)}</h2>
          <ul className="slots">
            {some.map((slot) => (
              <li key={`${slot.starts_at} ${slot.venue?.id} ${slot.venue_room?.id} ${slot.instructors[0]?.id}`}>
                <button type="button" className="second slot" onClick={() => setChosen(slot)}>
                  <strong>{timeOf(slot.starts_at, slot.timezone)}</strong>{' '}
                  <span className="small soft">{whomOf(slot)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {slots.hasNextPage ? (
        <p>
          <button
            type="button"
            className="second"
            disabled={slots.isFetchingNextPage}
            onClick={() => void slots.fetchNextPage()}
          >
            {ui.say('more')}
          </button>
        </p>
      ) : null}
      {isAppointment && Number(instructor) ? (
        <WhyNot key={JSON.stringify(asked)} {...asked} instructor={Number(instructor)} />
      ) : null}
      {chosen ? <SlotShown slot={chosen} offering={offering} move={move} onClose={() => setChosen(null)} /> : null}
    </>
  );
}
