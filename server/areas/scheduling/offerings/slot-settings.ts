/** Settings for offering appointments and room rentals: the bookable times of an offering type. */
import { boolean, integer, object, ref, refs } from '../../../kernel/base/fields/kinds.ts';
import { Field, type ValueOf } from '../../../kernel/base/fields/field.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Link to the rooms of an appointment: the table, and its columns for both ends. */
export const roomLink = { table: 'offering_type_room', parent: 'offering_type_id', child: 'venue_room_id' };

const STEPS = [15, 30, 45, 60] as const;

/** Field for the minutes from one start to the next. */
const step = new Field<(typeof STEPS)[number]>({
  schema: { type: 'integer', enum: [...STEPS] },
  read: (input, path, { issues }) =>
    STEPS.includes(Number(input) as never)
      ? Number(input)
      : issues.add(path, `Must be null or one of: ${STEPS.join(', ')}.`),
  print: Number,
});

const minutes = () => integer({ min: 0, max: 1440 }).default(0);

const times = {
  duration: integer({ min: 5, max: 1440 }).describe('In minutes.'),
  buffer_before: minutes().describe('Minutes that stay free before it.'),
  buffer_after: minutes().describe('Minutes that stay free after it.'),
  start_time_increments: step
    .nullable()
    .optional()
    .describe(
      'Minutes from one start to the next, counted from the start of the hours. If null, one starts when the one before has ended.',
    ),
};

const appointment = {
  ...times,
  default_venue: ref('venue')
    .nullable()
    .optional()
    .describe('Venue of appointments, for hours that are not of one venue.'),
  default_venue_rooms: refs('venue_room', { max: 100 })
    .optional()
    .describe('Rooms of the default venue, one of which each appointment uses. If there are none, no room is needed.'),
};

const rental = {
  ...times,
  room_uniformity: boolean()
    .default(false)
    .describe('Whether the rooms are alike: each time is then offered once, with any room that is free.'),
};

type AppointmentSettings = ValueOf<typeof appointment>;
type RoomRentalSettings = ValueOf<typeof rental>;

const common = `'duration', %.slot_duration, 'buffer_before', %.slot_buffer_before, 'buffer_after', %.slot_buffer_after,
  'start_time_increments', %.slot_increments`;

const settings = (t: string, type: string, own: string) =>
  raw(
    `CASE WHEN %.schedule_type = '${type}' AND %.slot_duration IS NOT NULL THEN jsonb_build_object(${common}, ${own}) END`.replaceAll(
      '%',
      t,
    ),
  );

export const appointmentSettings = object(appointment)
  .nullable()
  .from((t) =>
    settings(
      t,
      'appointment',
      `'default_venue', %.default_venue_id, 'default_venue_rooms', coalesce((SELECT jsonb_agg(r.venue_room_id ORDER BY r.venue_room_id)
         FROM offering_type_room r WHERE r.provider_id = %.provider_id AND r.offering_type_id = %.id), '[]'::jsonb)`,
    ),
  )
  .describe('For appointments. Null: no times are offered, or this is no appointment.');

export const roomRentalSettings = object(rental)
  .nullable()
  .from((t) => settings(t, 'room_rental', `'room_uniformity', %.room_uniformity`))
  .describe('For room rentals. Null: no times are offered, or this is no room rental.');

/** Returns the columns of settings; null if no times are offered, undefined to keep them. */
export function slotColumns(
  given: AppointmentSettings | RoomRentalSettings | null | undefined,
): Record<string, unknown> {
  if (given === undefined) return {};
  const of = (given ?? {}) as Partial<AppointmentSettings & RoomRentalSettings>;
  return {
    slot_duration: of.duration ?? null,
    slot_buffer_before: of.buffer_before ?? 0,
    slot_buffer_after: of.buffer_after ?? 0,
    slot_increments: of.start_time_increments ?? null,
    default_venue_id: of.default_venue ?? null,
    room_uniformity: of.room_uniformity ?? false,
  };
}

const OF_TYPE = { appointment_settings: 'appointment', room_rental_settings: 'room_rental' } as const;

interface Sent {
  readonly appointment_settings?: AppointmentSettings | null;
  readonly room_rental_settings?: RoomRentalSettings | null;
}

/**
 * Checks that settings match the offering type's schedule type and that rooms are in the default venue. Removes the
 * null for the other type, which clients send back from a response without meaning anything.
 */
export async function withSlots<S extends Sent>(work: Work, type: string, sent: S): Promise<S> {
  const own = { ...sent };
  for (const name of Object.keys(OF_TYPE) as (keyof typeof OF_TYPE)[]) {
    if (type === OF_TYPE[name]) continue;
    if (sent[name])
      throw invalid(
        name,
        `Only for offering types whose schedule_type is ${OF_TYPE[name]}. This one is ${type}: leave it out.`,
      );
    delete own[name];
  }
  const { default_venue: venue, default_venue_rooms: rooms = [] } = sent.appointment_settings ?? {};
  if (rooms.length === 0) return own;
  const at = 'appointment_settings.default_venue_rooms';
  if (!venue) throw invalid(at, 'Name the default_venue that the rooms are in.');
  const elsewhere = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM venue_room WHERE provider_id = ${work.providerId} AND id = ANY(${rooms}::bigint[])
      AND venue_id <> ${venue} ORDER BY id LIMIT 1`,
  );
  if (elsewhere) throw invalid(at, `The room with the id ${elsewhere.id} is not in the default venue.`);
  return own;
}
