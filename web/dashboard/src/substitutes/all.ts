/** Reads all events that need a substitute, the soonest first. */
import { useCall } from '../app/calls.ts';

export const useWanted = (size: number) =>
  useCall('GET /substitute_requests', {
    query: { status: ['open'], sort: ['start'], page_size: size },
    fields: [
      'id',
      'instructor.name',
      'offers',
      'event.id',
      'event.name',
      'event.starts_at',
      'event.timezone',
      'event.venue',
    ],
  });
