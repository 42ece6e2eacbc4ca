/** Events inserted directly into the database, for tests of areas that come before the schedule but depend on it. */
import { sql } from '../../kernel/base/db/sql.ts';
import type { World } from '../world.ts';

export interface Planted {
  venue?: number;
  room?: number;
  offeringType?: number;
  instructor?: number;
  /** hours from the world's current time; the default is 24 */
  inHours?: number;
  roomExclusive?: boolean;
  status?: 'active' | 'cancelled';
}

/** Inserts a one-hour event at Harbour and returns its id. */
export function plantEvent(
  world: World,
  { venue, room, offeringType, instructor, inHours = 24, roomExclusive = true, status = 'active' }: Planted,
): Promise<number> {
  const startsAt = new Date(world.now + inHours * 3_600_000).toISOString();
  return world.work(world.harbour, async ({ tx, providerId }) => {
    const made = async (table: 'venue' | 'offering_type') => {
      const row =
        table === 'venue'
          ? await tx.one(
              sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${providerId}, 'Planted', 'America/Toronto')
                RETURNING id`,
            )
          : await tx.one(
              sql`INSERT INTO offering_type (provider_id, name) VALUES (${providerId}, 'Planted') RETURNING id`,
            );
      return row!.id as number;
    };
    const [venueId, typeId] = [venue ?? (await made('venue')), offeringType ?? (await made('offering_type'))];
    const row = await tx.one<{ id: number }>(
      sql`INSERT INTO event (provider_id, offering_type_id, venue_id, venue_room_id, name, timezone, local_starts_at,
        local_ends_at, starts_at, ends_at,
                             room_exclusive, status, cancelled_at)
          SELECT ${providerId}, ${typeId}, ${venueId}, ${room ?? null}, 'Planted', 'UTC', at::timestamp,
            at::timestamp + interval '1 hour', at, at + interval '1 hour',
                 ${roomExclusive}, ${status}, CASE WHEN ${status}::text = 'cancelled' THEN now() END
          FROM (SELECT ${startsAt}::timestamptz AS at) planned RETURNING id`,
    );
    if (instructor !== undefined) {
      await tx.run(
        sql`INSERT INTO event_instructor (provider_id, event_id, instructor_id)
          VALUES (${providerId}, ${row!.id}, ${instructor})`,
      );
    }
    return row!.id;
  });
}
