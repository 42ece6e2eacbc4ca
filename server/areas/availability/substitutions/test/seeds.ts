import { row } from '../../../../test/schedule-world.ts';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

export const SEEDS: Seeds = {
  /** Somebody who offered now teaches the event. */
  substitute_request: async (world, providerId) => {
    const [event, other] = [await seed(world, 'event', providerId), await seed(world, 'instructor', providerId)];
    const { instructor } = (await world.work(providerId, ({ tx }) =>
      tx.one<{ instructor: number }>(
        sql`SELECT instructor_id AS instructor FROM event_instructor
          WHERE provider_id = ${providerId} AND event_id = ${event} LIMIT 1`,
      ),
    ))!;
    const id = await row(
      world,
      'substitute_request',
      {
        event_id: event,
        instructor_id: instructor,
        message: 'I have a cold.',
        status: 'filled',
        substitute_id: other,
        ended_at: new Date(world.now).toISOString(),
      },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO substitute_offer (provider_id, substitute_request_id, instructor_id)
          VALUES (${providerId}, ${id}, ${other})`,
      ),
    );
    return id;
  },
};
