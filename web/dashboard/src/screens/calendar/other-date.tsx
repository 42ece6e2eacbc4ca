/** The choice of the date to which the bookings of a cancelled class move. */
import { dayOf, timesOf } from '../../words/times.ts';
import { Field } from '../../ui/field.tsx';
import { useCall } from '../../app/calls.ts';
import { words } from './words.ts';
import type { CalendarEvent } from './events.ts';

const MAX_DATES = 12;

export interface OtherDateProps {
  readonly event: CalendarEvent;
  readonly value: number | null;
  readonly onChange: (event: number | null) => void;
}

export function OtherDate({ event, value, onChange }: OtherDateProps) {
  const dates = useCall(
    'GET /events',
    {
      query: {
        starts_at_gte: event.starts_at,
        status: ['active'],
        sort: ['start'],
        page_size: MAX_DATES,
        ...(event.offering_type && { offering_types: [event.offering_type.id] }),
      },
      fields: ['id', 'starts_at', 'ends_at', 'timezone', 'is_full', 'attending_count', 'max_occupancy', 'venue.name'],
    },
    { enabled: event.offering_type !== null },
  );
  const shown = dates.data?.results.filter(({ id, is_full }) => id !== event.id && !is_full) ?? [];
  if (shown.length === 0) return null;
  return (
    <Field label={words.say('move_to')} hint={words.say('move_to.hint')}>
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        <option value="">{words.say('move_to.none')}</option>
        {shown.map(({ id, starts_at, ends_at, timezone, venue, attending_count, max_occupancy }) => (
          <option key={id} value={id}>
            {[
              `${dayOf(starts_at, timezone)}, ${timesOf(starts_at, ends_at, timezone)}`,
              venue?.name,
              max_occupancy && words.say('booked.of', { n: attending_count, places: max_occupancy }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </option>
        ))}
      </select>
    </Field>
  );
}
