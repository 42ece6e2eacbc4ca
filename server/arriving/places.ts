/** Tables of the areas in `places`. */
import { WEB, ZONE } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const PLACES: Readonly<Record<string, ArrivingTable>> = {
  // venues
  venue: {
    own: `
      archived calendar_revision created_at description external_id id name physical_address updated_at venue_type
      video_url_type
    `,
    checked: { timezone: ZONE, video_url: WEB },
  },
  venue_room: { own: 'allows_double_booking calendar_revision created_at id image_id name status updated_at venue_id' },
};
