/** The offer: the offering type, its venues and rooms, and its settings, read in one statement. */
import { closedOn } from '../closures/index.ts';
import { notFound, invalid } from '../../../kernel/base/problem.ts';
import { offerColumn, offerFacts, type OfferFacts } from '../../scheduling/schedule/index.ts';
import { offeringType } from '../../scheduling/offerings/index.ts';
import { visible } from '../../../kernel/api/reading/compile.ts';
import { and, raw, sql } from '../../../kernel/base/db/sql.ts';
import { settingsColumn, settingsOf, type SlotSettings } from './settings.ts';
import type { Offer } from './rules/starts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface VenueOffered {
  readonly id: number;
  readonly zone: string;
  readonly online: boolean;
  /** dates in its own zone */
  readonly closed: readonly string[];
}

interface RoomOffered {
  readonly id: number;
  readonly venue: number;
  /** several events may use it at the same time */
  readonly shared: boolean;
}

/** An offering type and its surroundings. */
export interface Offering {
  readonly id: number;
  readonly name: string;
  readonly kind: 'appointment' | 'room_rental';
  readonly offer: Offer;
  readonly defaultVenue: number | null;
  readonly defaultRooms: readonly number[];
  /** its rooms are interchangeable */
  readonly uniform: boolean;
  readonly facts: OfferFacts;
  /** those that aren't archived, by id */
  readonly venues: ReadonlyMap<number, VenueOffered>;
  readonly rooms: ReadonlyMap<number, RoomOffered>;
  readonly settings: SlotSettings;
}

interface Row {
  name: string;
  schedule_type: string;
  status: string;
  slot_duration: number | null;
  slot_buffer_before: number;
  slot_buffer_after: number;
  slot_increments: number | null;
  default_venue_id: number | null;
  room_uniformity: boolean;
  default_rooms: number[];
  facts: unknown;
  venues: VenueOffered[];
  rooms: RoomOffered[];
  settings: Parameters<typeof settingsOf>[0];
}

const MINUTE = 60_000;

/** The request for an offer. Dates are inclusive. */
interface OfferAsked {
  readonly offeringType: number;
  /** only these; undefined: all */
  readonly venues?: readonly number[];
  readonly from: string;
  readonly to: string;
}

/** Reads the offer. @throws Problem if the caller can't see the offering type, or it is a class or a course */
export async function readOffer(work: Work, asked: OfferAsked): Promise<Offering> {
  const { providerId } = work;
  const wanted = asked.venues ?? null;
  const row = await work.tx.one<Row>(
    sql`SELECT o.name, o.schedule_type, o.status, o.slot_duration, o.slot_buffer_before, o.slot_buffer_after,
      o.slot_increments,
          o.default_venue_id, o.room_uniformity,
          (SELECT coalesce(jsonb_agg(r.venue_room_id), '[]') FROM offering_type_room r
            WHERE r.provider_id = o.provider_id AND r.offering_type_id = o.id) AS default_rooms,
          ${offerColumn('o')} AS facts, ${settingsColumn(providerId)} AS settings,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'zone', v.timezone, 'online',
            v.venue_type = 'online',
              'closed', (SELECT coalesce(jsonb_agg(d::date), '[]')
                FROM generate_series(${asked.from}::date, ${asked.to}::date, interval '1 day') d
                WHERE ${closedOn(raw('v.id'), raw('d::date'))}))), '[]') FROM venue v
            WHERE v.provider_id = o.provider_id AND NOT v.archived
              AND (${wanted}::bigint[] IS NULL OR v.id = ANY(${wanted}::bigint[]))) AS venues,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'venue', r.venue_id, 'shared',
            r.allows_double_booking) ORDER BY r.id), '[]') FROM venue_room r
            WHERE r.provider_id = o.provider_id AND r.status = 'active'
              AND (${wanted}::bigint[] IS NULL OR r.venue_id = ANY(${wanted}::bigint[]))) AS rooms
        FROM offering_type o WHERE o.provider_id = ${providerId} AND o.id = ${asked.offeringType}
          AND ${and(visible(offeringType, 'o', work.viewer))}`,
    { viewer: work.viewer, now: work.now, query: {} },
  );
  if (!row) throw work.viewer.mode === 'provider' ? noSuchType(asked.offeringType) : notFound();
  return offeringOf(asked.offeringType, row);
}

const noSuchType = (id: number) => invalid('offering_type', `There is no offering type with the id ${id}.`);

function offeringOf(id: number, row: Row): Offering {
  const { schedule_type: kind, slot_duration: duration } = row;
  if (kind !== 'appointment' && kind !== 'room_rental')
    throw invalid('offering_type', {
      staff: 'Times are offered for appointments and room rentals. Classes and courses are events: list those.',
      customer: 'This is booked from the schedule.',
    });
  if (duration === null || row.status !== 'active')
    throw invalid('offering_type', {
      staff: `No times are offered. ${duration === null ? `Set its ${kind}_settings first.` : 'The offering type is archived.'}`,
      customer: 'No times are offered for this.',
    });
  const { slot_increments: step } = row;
  return {
    id,
    name: row.name,
    kind,
    offer: {
      duration: duration * MINUTE,
      before: row.slot_buffer_before * MINUTE,
      after: row.slot_buffer_after * MINUTE,
      step: step === null ? null : step * MINUTE,
    },
    defaultVenue: row.default_venue_id,
    defaultRooms: row.default_rooms,
    uniform: row.room_uniformity,
    facts: offerFacts(JSON.stringify(row.facts)),
    venues: new Map(row.venues.map((v) => [v.id, v])),
    rooms: new Map(row.rooms.map((r) => [r.id, r])),
    settings: settingsOf(row.settings),
  };
}

/** Returns the travel time between two venues in milliseconds; the settings have minutes. */
export function travelTime({
  settings,
  venues,
}: Pick<Offering, 'settings' | 'venues'>): (from: number, to: number) => number {
  const times = new Map(
    settings.travel_times.flatMap(({ venue, other_venue, minutes }) => [
      [`${venue} ${other_venue}`, minutes],
      [`${other_venue} ${venue}`, minutes],
    ]),
  );
  return (from, to) =>
    from === to || venues.get(to)?.online ? 0 : (times.get(`${from} ${to}`) ?? settings.travel_minutes) * MINUTE;
}
