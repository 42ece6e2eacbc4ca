/** Classes that no rate covers, before they have to be paid. */
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { dateAt } from '../../words/times.ts';
import { DayFilter } from '../../ui/filters.tsx';
import { daysAfter } from '../../app/days.ts';
import { shortDayOf } from '../../hours/labels.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { Kept } from '../../ui/kept.tsx';
import { Listed } from '../../ui/listed.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useAddress } from '../../app/address.ts';
import { useCall } from '../../app/calls.ts';
import { usePages } from '../../app/pages.ts';
import { words } from './words.ts';

const DAYS = 31;
/** Each of them is a separate request. */
const PAGE = 20;
/** Higher than the number that any business has. */
const MAX_ROWS = 100;

export function Coverage() {
  const business = useBusiness();
  const [address] = useAddress();
  const [today] = useState(() => dateAt(Date.now(), business.timezone));
  const from = address.from || today;
  const to = address.to || daysAfter(from, DAYS - 1);
  const list = usePages('GET /instructors', {
    query: { status: 'active', page_size: PAGE },
    fields: ['id', 'name'],
  });
  return (
    <>
      <div className="tools" role="search" aria-label={words.say('filters')}>
        <DayFilter name="from" label={words.say('again.from')} usual={from} />
        <DayFilter name="to" label={words.say('again.to')} usual={to} />
        {may(business, 'super_admin') ? (
          <Link className="button" to={`/${business.id}/settings/staff?open=rates%3Anew` as string}>
            {words.say('rates.add')}
          </Link>
        ) : null}
      </div>
      <p className="soft">{words.say('coverage.about')}</p>
      <Listed list={list} none={words.say('coverage.none')} next={[]}>
        {(all) => (
          <ul className="rows" aria-label={words.say('tab.coverage')}>
            {all.map(({ id, name }) => (
              <li key={id}>
                <strong>{name}</strong>
                <Covered instructor={id} from={from} to={to} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

interface Named {
  readonly id: number;
  readonly name: string | null;
}

const naming = (all: readonly Named[] | undefined) => {
  const known = new Map(all?.map(({ id, name }) => [id, name]));
  return (id: number): string => known.get(id) ?? `#${id}`;
};

/** Reads the names for the ids in the response. */
function useNames() {
  const asked = { query: { page_size: MAX_ROWS }, fields: ['id', 'name'] } as const;
  return {
    offering: naming(useCall('GET /offering_types', asked).data?.results),
    venue: naming(useCall('GET /venues', asked).data?.results),
    rate: naming(useCall('GET /instructor_pay_rates', asked).data?.results),
  };
}

interface CoveredProps {
  readonly instructor: number;
  /** dates, both inclusive */
  readonly from: string;
  readonly to: string;
}

function Covered({ instructor, from, to }: CoveredProps) {
  const found = useCall(
    'GET /instructors/{id}/pay_rate_coverage',
    {
      params: { id: instructor },
      query: { starts_on: from, ends_on: to },
    },
    { keep: true },
  );
  const names = useNames();
  if (found.error) return <Failed error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { sessions, covered_sessions: covered, uncovered, ambiguous } = found.data;
  const whatOf = (one: (typeof uncovered)[number]): string =>
    words.say('coverage.what', {
      name: names.offering(one.offering_type),
      venue: names.venue(one.venue),
      n: one.sessions,
      days: [...new Set([one.first_on, one.last_on])].map(shortDayOf).join(' – '),
    });
  return (
    <Kept read={found}>
      {sessions === 0 ? (
        <span className="end soft small">{words.say('coverage.nothing')}</span>
      ) : (
        <span className={covered === sessions ? 'end tag good' : 'end tag wrong'}>
          {covered === sessions
            ? words.say('coverage.fine', { n: sessions })
            : words.say('coverage.missing', { n: sessions - covered, all: sessions })}
        </span>
      )}
      {uncovered.map((one) => (
        <p key={`${one.offering_type} ${one.venue}`} className="whole small">
          {words.say('coverage.uncovered', { what: whatOf(one) })}
        </p>
      ))}
      {ambiguous.map((one) => {
        const [first = '', ...others] = one.instructor_pay_rates.map(names.rate);
        return (
          <p key={`${one.offering_type} ${one.venue} ${first}`} className="whole small">
            {words.say('coverage.ambiguous', { what: whatOf(one), first, others: others.join(', ') })}
          </p>
        );
      })}
    </Kept>
  );
}
