/** Applies a change of whether several events may use a room at the same time. */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { VENUE_PROBLEMS } from '../../../places/venues/index.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Allows events to share the room, or forbids it from now on; past events stay unchanged. */
export async function shareRoom(work: Work, roomId: number, shared: boolean): Promise<void> {
  const collision = shared ? undefined : await firstCollision(work, roomId);
  if (collision) {
    const why = `The events ${collision.one} and ${collision.other} use the room at the same time.`;
    throw new Problem(VENUE_PROBLEMS.room_taken, `${why} Move or cancel one of them first.`, {
      allows_double_booking: [why],
    });
  }
  await work.tx.run(
    sql`UPDATE event SET room_exclusive = ${!shared} WHERE provider_id = ${work.providerId} AND venue_room_id = ${roomId}
        AND status = 'active' AND ends_at > ${instant(work.now)}`,
  );
}

/** Returns two events of the room that overlap, so that the refusal can name them. The constraint still decides. */
function firstCollision(work: Work, roomId: number): Promise<{ one: number; other: number } | undefined> {
  return work.tx.one(
    sql`SELECT a.id AS one, b.id AS other FROM event a
        JOIN event b ON b.provider_id = a.provider_id AND b.venue_room_id = a.venue_room_id AND b.id > a.id
          AND b.status = 'active' AND b.starts_at < a.ends_at AND b.ends_at > a.starts_at
        WHERE a.provider_id = ${work.providerId} AND a.venue_room_id = ${roomId} AND a.status = 'active'
          AND a.ends_at > ${instant(work.now)} AND b.ends_at > ${instant(work.now)}
        ORDER BY a.starts_at, a.id, b.id LIMIT 1`,
  );
}
