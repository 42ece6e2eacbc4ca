/** An event as a calendar file: always the same entry, however often it is saved. */
import { eventPageOf, type At } from '../frame/index.ts';
import { printCalendar } from '../../availability/calendars/index.ts';
import type { DrawnFile } from '../../../kernel/api/file.ts';
import type { EventView } from './event-view.ts';

/** Returns the place where the people of the reader take part: online, if nobody of them comes. */
function placeToCome({ place, both, participants }: EventView): { name: string; address: string } | null {
  const coming = (participants ?? []).filter(({ status }) => status === 'registered');
  const away = both !== null && coming.length > 0 && coming.every(({ takesPart }) => takesPart === 'online');
  return away ? { name: both.online.name, address: '' } : place;
}

export function calendarFile({ site, baseUrl, now }: At, view: EventView): DrawnFile {
  const { id, name, teachers } = view;
  const place = placeToCome(view);
  return {
    name: `event-${id}.ics`,
    type: 'text/calendar; charset=utf-8',
    draw: () =>
      printCalendar({
        providerId: site.id,
        name: site.name,
        pageOf: (event) => `${baseUrl}${eventPageOf(site, event)}`,
        entries: [
          {
            event: id,
            booking: null,
            person: null,
            name,
            starts_at: view.startsAt,
            ends_at: view.endsAt,
            timezone: view.zone,
            venue: place?.name ?? '',
            room: null,
            address: place?.address ?? '',
            instructors: teachers.map((one) => one.name).join(', ') || null,
            cancelled: view.cancelled,
            booked: null,
            places: null,
            changed_at: now,
            revision: view.revision,
          },
        ],
      }),
  };
}
