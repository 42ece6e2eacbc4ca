/** The next dates that a booking can move to. Choosing one shows what moving costs or returns, and who is notified. */
import { useState } from 'react';
import { clientOf } from '../app/client.ts';
import { dayOf, timesOf } from '../words/times.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { None } from '../ui/listed.tsx';
import { may, useBusiness, type Business } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { usePropose } from '../changes/change.tsx';
import { words } from './words.ts';
import './moves.css';

export interface Booking {
  /** id of the attendance */
  readonly id: number;
  /** name of the customer */
  readonly who: string;
  readonly event: {
    readonly id: number;
    readonly name: string;
    readonly starts_at: string;
    readonly ends_at: string;
    readonly timezone: string;
    readonly offering_type: { readonly id: number; readonly schedule_type: string } | null;
  };
}

export interface DatesProps {
  readonly booking: Booking;
  /** maximal number of dates */
  readonly limit: number;
  /** false: of every class */
  readonly ofSameClass?: boolean;
  readonly onMoved: () => void;
}

/** Returns true if staff may move bookings. An appointment or a rental moves as a whole. */
export const mayMove = (business: Business, { offering_type: of }: Pick<Booking['event'], 'offering_type'>): boolean =>
  of?.schedule_type === 'class' &&
  may(business, 'attendances', 'manage_events', 'pos', 'instructor_attendances', 'instructor_manage_events');

type When = Pick<Booking['event'], 'starts_at' | 'ends_at' | 'timezone'>;

const whenOf = ({ starts_at, ends_at, timezone }: When): string =>
  `${dayOf(starts_at, timezone)}, ${timesOf(starts_at, ends_at, timezone)}`;

export function Dates({ booking, limit, ofSameClass = true, onMoved }: DatesProps) {
  const business = useBusiness();
  const propose = usePropose();
  const [now] = useState(() => new Date().toISOString());
  const { id, who, event: from } = booking;
  const dates = useCall('GET /events', {
    query: {
      starts_at_gte: now,
      status: ['active'],
      sort: ['start'],
      // The class that is booked may be among them.
      page_size: limit + 1,
      ...(ofSameClass && from.offering_type && { offering_types: [from.offering_type.id] }),
      ...(!may(business, 'attendances', 'manage_events', 'pos') && { instructors: 'me' as const }),
    },
    fields: [
      'id',
      'name',
      'starts_at',
      'ends_at',
      'timezone',
      'is_full',
      'attending_count',
      'max_occupancy',
      'venue.id',
      'venue.name',
      'offering_type.schedule_type',
    ],
  });
  const move = async (event: Booking['event']['id'], name: string, when: string): Promise<void> => {
    const { made } = await propose({
      title: words.say('title', { who }),
      confirm: words.say('move'),
      about: (
        <p>
          <s>
            {from.name}, {whenOf(from)}
          </s>
          <br />
          <strong>
            {name}, {when}
          </strong>
        </p>
      ),
      call: () => clientOf(business.id).call('POST /attendances/{id}/move', { params: { id }, body: { event } }),
      done: words.say('done', { who, when }),
    });
    if (made) onMoved();
  };
  if (dates.error) return <Failed error={dates.error} again={() => void dates.refetch()} />;
  if (!dates.data) return <Loading />;
  const shown = dates.data.results
    .filter((event) => event.id !== from.id && event.offering_type?.schedule_type === 'class')
    .slice(0, limit);
  if (shown.length === 0) return <None text={words.say(ofSameClass ? 'none' : 'none.at_all')} />;
  return (
    <ul className="moves">
      {shown.map((event) => {
        const when = whenOf(event);
        const free = event.max_occupancy === null ? null : Math.max(0, event.max_occupancy - event.attending_count);
        return (
          <li key={event.id}>
            <button
              type="button"
              className="second"
              disabled={event.is_full}
              onClick={() => void move(event.id, event.name, when)}
            >
              <strong>{when}</strong>
              <span className="soft small">
                {[
                  ofSameClass ? null : event.name,
                  event.venue?.name,
                  event.is_full ? words.say('full') : free === null ? null : words.say('free', { n: free }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
