/** The current free times from the interface. */
import type { ItemOf } from 'rollcall-sdk';
import { usePages } from '../../app/pages.ts';

const FIELDS = [
  'id',
  'starts_at',
  'ends_at',
  'local_starts_at',
  'timezone',
  'price',
  'venue.id',
  'venue.name',
  'venue_room.id',
  'venue_room.name',
  'instructors.id',
  'instructors.name',
] as const;

export type Slot = ItemOf<'GET /slots', (typeof FIELDS)[number]>;

export interface SlotsAsked {
  readonly offering: number;
  /** an id; `any`; or empty for each of them */
  readonly instructor: string;
  /** dates in the time zone of each venue */
  readonly from: string;
  readonly to: string;
}

export const useSlots = ({ offering, instructor, from, to }: SlotsAsked) =>
  usePages('GET /slots', {
    query: { offering_type: offering, ...(instructor && { instructors: instructor }), from, to, page_size: 100 },
    fields: FIELDS,
  });
