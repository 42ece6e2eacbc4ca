/** The writes of venues and rooms, for the endpoints of this area, the importer and the demo. */
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { isZone } from '../../../kernel/base/values/zone.ts';
import { venueFeed, venueRoomFeed } from './feed.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface NewVenue {
  name: string;
  venue_type?: 'physical' | 'online';
  /** IANA name */
  timezone: string;
  description?: string | null;
  physical_address?: object | null;
  video_url?: string | null;
  video_url_type?: 'static' | 'zoom';
  archived?: boolean;
}

interface NewVenueRoom {
  name: string;
  venue: number;
  allows_double_booking?: boolean;
  /** id of an image */
  thumbnail?: number | null;
}

/** Creates a venue and returns its id; refuses a zone that isn't in the IANA database. */
export async function createVenue(work: Work, values: NewVenue): Promise<number> {
  checkZone(values.timezone);
  const id = await insertRow(work, 'venue', { ...values });
  work.record(venueFeed.created, id, { venue: id });
  return id;
}

export async function changeVenue(work: Work, id: number, values: Partial<NewVenue>): Promise<void> {
  checkZone(values.timezone);
  if (await updateRow(work, 'venue', id, { ...values }))
    work.record(venueFeed.updated, id, { venue: id, changed: changedNames(values) });
}

/** Creates a room and returns its id. */
export async function createVenueRoom(work: Work, { venue, thumbnail, ...values }: NewVenueRoom): Promise<number> {
  const id = await insertRow(work, 'venue_room', { ...values, venue_id: venue, image_id: thumbnail });
  work.record(venueRoomFeed.created, id, { venue_room: id, venue });
  return id;
}

export async function changeVenueRoom(
  work: Work,
  id: number,
  values: Partial<Omit<NewVenueRoom, 'venue'>> & { readonly status?: string },
): Promise<void> {
  const { thumbnail, ...plain } = values;
  if (await updateRow(work, 'venue_room', id, { ...plain, image_id: thumbnail })) {
    work.record(venueRoomFeed.updated, id, { venue_room: id, changed: changedNames(values) });
  }
}

function checkZone(timezone: string | undefined): void {
  if (timezone !== undefined && !isZone(timezone))
    throw invalid('timezone', 'Must be the IANA name of a time zone, for example America/Toronto.');
}
