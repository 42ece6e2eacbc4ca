/** The audience of a broadcast: everybody, customers who match filters, or people who booked an event. */
import { useEffect, useState } from 'react';
import { dateAt, timesOf } from '../../words/times.ts';
import { Field } from '../../ui/field.tsx';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useDayEvents } from '../../app/day-events.ts';
import { useLabels, useStatuses } from '../../app/customers.ts';
import { words } from './words.ts';
import type { Target } from './draft.ts';

const MAX_ROWS = 100;

/** Filters of the customer list that this form offers; other filters are kept unchanged. */
const OFFERED = ['label', 'status', 'active_memberships', 'age_gte', 'age_lte', 'participating'] as const;
type Offered = (typeof OFFERED)[number];

/** Statuses of customers who booked the class. They get the message even if they have attended since. */
const BOOKED = ['registered', 'attended', 'no_show'] as const;

type Query = Readonly<Record<string, unknown>>;
const queryOf = ({ query }: Target): Query => query as Query;

/** Returns the value of a filter, also if it is a list with one item. */
const said = (query: Query, name: Offered | 'event'): string => {
  const value = query[name];
  return value === undefined ? '' : String(Array.isArray(value) ? value[0] : value);
};

export interface AudienceProps {
  readonly target: Target;
  readonly onTarget: (target: Target) => void;
  readonly errors: readonly string[];
}

export function Audience({ target, onTarget, errors }: AudienceProps) {
  const query = queryOf(target);
  const byEvent = target.query_type === 'attendance';
  const [filtered, setFiltered] = useState(Object.keys(query).length > 0);
  const how = byEvent ? 'event' : filtered ? 'some' : 'all';
  const choose = (next: 'all' | 'some' | 'event'): void => {
    setFiltered(next === 'some');
    onTarget(
      next === 'event'
        ? { query_type: 'attendance', query: { status: [...BOOKED] } }
        : { query_type: 'customer', query: {} },
    );
  };
  return (
    <fieldset>
      <legend>{words.say('audience')}</legend>
      {(['all', 'some', 'event'] as const).map((one) => (
        <label key={one} className="box">
          <input type="radio" name="audience" checked={how === one} onChange={() => choose(one)} />{' '}
          {words.say(`audience.${one}`)}
        </label>
      ))}
      {how === 'some' ? <Filters target={target} onTarget={onTarget} /> : null}
      {how === 'event' ? <BookedInto target={target} onTarget={onTarget} /> : null}
      {errors.length > 0 ? <p className="error">{errors.join(' ')}</p> : null}
    </fieldset>
  );
}

type PartProps = Pick<AudienceProps, 'target' | 'onTarget'>;

function Filters({ target, onTarget }: PartProps) {
  const query = queryOf(target);
  const labels = useLabels();
  const statuses = useStatuses();
  const memberships = useCall('GET /memberships', {
    query: { archived: false, sort: ['name'], page_size: MAX_ROWS },
    fields: ['id', 'name'],
  });
  const put = (name: Offered, value: unknown): void => {
    const { [name]: _before, ...rest } = query;
    onTarget({
      query_type: 'customer',
      query: (value === undefined ? rest : { ...rest, [name]: value }) as Target['query'],
    });
  };
  const choice = (
    name: Offered,
    choices: readonly (readonly [string, string])[],
    valueOf: (text: string) => unknown,
  ) => (
    <Field label={words.say(`filter.${name}` as 'filter.label')}>
      <select
        value={said(query, name)}
        onChange={({ target: { value } }) => put(name, value === '' ? undefined : valueOf(value))}
      >
        <option value="">{words.say('filter.any')}</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
  const age = (name: 'age_gte' | 'age_lte') => (
    <Field label={words.say(`filter.${name}`)}>
      <input
        type="number"
        min={0}
        max={120}
        value={said(query, name)}
        onChange={({ target: { value } }) => put(name, value === '' ? undefined : Number(value))}
      />
    </Field>
  );
  const others = Object.keys(query).filter((name) => !(OFFERED as readonly string[]).includes(name));
  return (
    <>
      <div className="pair">
        {choice(
          'label',
          (labels.data?.results ?? []).map(({ id, name }) => [String(id), name] as const),
          Number,
        )}
        {choice(
          'status',
          (statuses.data?.results ?? []).map(({ slug, name }) => [slug, name] as const),
          (slug) => [slug],
        )}
        {choice(
          'active_memberships',
          (memberships.data?.results ?? []).map(({ id, name }) => [String(id), name] as const),
          (id) => [Number(id)],
        )}
        {choice(
          'participating',
          [
            ['true', words.say('participating.true')],
            ['false', words.say('participating.false')],
          ],
          (text) => text === 'true',
        )}
        {age('age_gte')}
        {age('age_lte')}
      </div>
      {others.length > 0 ? <p className="small">{words.say('filter.others', { n: others.length })}</p> : null}
    </>
  );
}

function BookedInto({ target, onTarget }: PartProps) {
  const { timezone } = useBusiness();
  const query = queryOf(target);
  const event = said(query, 'event');
  const known = useCall(
    'GET /events',
    { query: { ids: [Number(event)] }, fields: ['id', 'name', 'starts_at', 'ends_at', 'timezone'] },
    { enabled: event !== '' },
  );
  const [date, setDate] = useState(() => dateAt(Date.now(), timezone));
  const events = useDayEvents(date);
  const onDay = events.data?.results ?? [];
  const chosen = known.data?.results.filter(({ id }) => onDay.every((one) => one.id !== id)) ?? [];
  const choose = (value: string): void => {
    const { event: _before, ...rest } = query;
    onTarget({
      query_type: 'attendance',
      query: (value === '' ? rest : { ...rest, event: [Number(value)] }) as Target['query'],
    });
  };
  // The only class of the day needs no choice.
  const only = onDay.length === 1 && event === '' ? onDay[0].id : null;
  useEffect(() => {
    if (only !== null) choose(String(only));
    // oxlint-disable-next-line react/exhaustive-deps
  }, [only]);
  return (
    <div className="pair">
      <Field label={words.say('audience.day')}>
        <input type="date" value={date} onChange={({ target: { value } }) => setDate(value)} />
      </Field>
      <Field label={words.say('audience.class')}>
        <select value={event} onChange={({ target: { value } }) => choose(value)}>
          <option value="">{words.say(onDay.length > 0 ? 'audience.choose' : 'audience.no_class')}</option>
          {[...chosen, ...onDay].map(({ id, name, starts_at, ends_at, timezone: zone }) => (
            <option key={id} value={id}>
              {timesOf(starts_at, ends_at, zone)} {name}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

/** Returns true if the audience is complete: for an event, the class must be chosen. */
export const isChosen = (target: Target): boolean =>
  target.query_type !== 'attendance' || queryOf(target).event !== undefined;
