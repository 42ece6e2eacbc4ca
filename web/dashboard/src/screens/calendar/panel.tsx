/** One event: its details, its customers, and the actions on it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { bookedOf, timesOfWalls } from './chip.tsx';
import { dateOf } from './wall.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { longDay } from './columns.ts';
import { may, useBusiness } from '../../app/business.ts';
import { momentOf } from '../../words/times.ts';
import { Requested } from '../../substitutes/decide.tsx';
import { takesPart } from '../../substitutes/who.ts';
import { useCall } from '../../app/calls.ts';
import { useEvent, type CalendarEvent } from './events.ts';
import { words } from './words.ts';

export interface PanelProps {
  readonly id: number;
  readonly onClose: () => void;
  /** the actions that the person may perform */
  readonly actions: (event: CalendarEvent) => ReactNode;
}

export function Panel({ id, onClose, actions }: PanelProps) {
  const business = useBusiness();
  const { event, error, again } = useEvent(id);
  return (
    <Dialog title={event?.name ?? words.say('event')} onClose={onClose} side beside>
      {error ? <Failed error={error} again={again} /> : null}
      {event ? <Facts event={event} /> : null}
      {event?.substitute_wanted && takesPart(business) ? <Requested event={event} /> : null}
      {!event && !error ? <Loading /> : null}
      {event ? actions(event) : null}
    </Dialog>
  );
}

function Facts({ event }: { readonly event: CalendarEvent }) {
  const business = useBusiness();
  const { venue, venue_room: room, instructors, timezone } = event;
  const seesBookings = may(business, 'attendances', 'instructor_attendances', 'pos');
  return (
    <>
      {event.status === 'cancelled' ? <p className="tag wrong">{words.say('cancelled')}</p> : null}
      <dl className="facts">
        <dt>{words.say('when')}</dt>
        <dd>
          {longDay(dateOf(event.from))}, {timesOfWalls(event.from, event.to)}
          {timezone === business.timezone ? null : (
            <span className="soft"> {words.say('zone', { zone: timezone })}</span>
          )}
          {event.series === null ? null : <span className="soft"> {words.say('repeats')}</span>}
        </dd>
        <dt>{words.say('where')}</dt>
        <dd>{[venue?.name, room?.name].filter(Boolean).join(' · ')}</dd>
        <dt>{words.say('instructors')}</dt>
        <dd>
          {instructors.length === 0 ? words.say('instructor.none') : instructors.map(({ name }) => name).join(', ')}
        </dd>
        <dt>{words.say('bookings')}</dt>
        <dd>
          {bookedOf(event)}{' '}
          {seesBookings ? <Link to={`/${business.id}/door/${event.id}` as string}>{words.say('roster')}</Link> : null}
        </dd>
        <BookingTimes event={event.id} zone={timezone} />
      </dl>
    </>
  );
}

/** Shows when customers can book, and until when they can cancel in time. */
function BookingTimes({ event, zone }: { readonly event: number; readonly zone: string }) {
  const { data } = useCall('GET /events/{id}/registration_timelines/resolved', { params: { id: event } });
  if (!data) return null;
  const at = (moment: string): string => momentOf(moment, zone);
  return (
    <>
      <dt>{words.say('booking')}</dt>
      <dd>
        {words.say('booking.between', {
          from: at(data.registrations_open_at),
          to: at(data.registrations_close_at),
        })}
        {data.registration_timeline?.name ? <span className="soft"> {data.registration_timeline.name}</span> : null}
      </dd>
      <dt>{words.say('booking.cancel')}</dt>
      <dd>{words.say('booking.cancel.until', { at: at(data.late_cancels_after) })}</dd>
    </>
  );
}
