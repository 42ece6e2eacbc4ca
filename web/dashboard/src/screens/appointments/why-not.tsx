/** Reasons why an instructor has no other times on these days: each part of a day with the first reason. */
import { Link } from '@tanstack/react-router';
import { dayOf, timeOf } from '../../words/times.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { may, useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useState } from 'react';
import { words } from './words.ts';

export interface WhyNotProps {
  readonly offering: number;
  readonly instructor: number;
  readonly from: string;
  readonly to: string;
}

export function WhyNot(props: WhyNotProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="why-not" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.say('why_not')}</summary>
      {isOpen ? <Days {...props} /> : null}
    </details>
  );
}

/** Formats a wall time, which may be the midnight that ends the day. */
const clock = (wall: string): string => timeOf(`${wall}Z`, 'UTC');

function Days({ offering, instructor, from, to }: WhyNotProps) {
  const business = useBusiness();
  const { data, error, refetch } = useCall('GET /instructors/{id}/availability', {
    params: { id: instructor },
    query: { offering_type: offering, from, to, explain: true },
  });
  if (error) return <Failed error={error} again={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <dl className="slot-days">
      {data.days.map(({ date, unavailable }) => (
        <div key={date}>
          <dt>{dayOf(`${date}T12:00:00Z`, 'UTC')}</dt>
          <dd>
            <ul className="plain-list">
              {(unavailable ?? []).map(({ starts_at, local_starts_at, local_ends_at, venue, message, event }) => (
                <li key={`${starts_at} ${venue}`}>
                  {clock(local_starts_at)} – {clock(local_ends_at)}: <span>{message}</span>{' '}
                  {event !== null && may(business, 'manage_events', 'attendances') ? (
                    <Link to={`/${business.id}/calendar` as string} search={{ date, event: String(event) } as never}>
                      {words.say('why_not.event')}
                    </Link>
                  ) : null}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
