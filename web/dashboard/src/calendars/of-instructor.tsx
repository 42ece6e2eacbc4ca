/** An instructor's classes as a calendar feed. */
import { CalendarLinks } from './links.tsx';
import { clientOf } from '../app/client.ts';
import { useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';

interface OfInstructorProps {
  readonly id: number;
  readonly name: string;
}

export function OfInstructor({ id, name }: OfInstructorProps) {
  const { id: business } = useBusiness();
  const params = { id };
  return (
    <CalendarLinks
      name={name}
      found={useCall('GET /instructors/{id}/icalendar_links', { params })}
      reset={() => clientOf(business).call('POST /instructors/{id}/icalendar_links/reset', { params })}
    />
  );
}
