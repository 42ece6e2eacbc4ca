import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { randomUUID } from 'node:crypto';
import { seed, type Seeds } from '../../../../test/seeds.ts';
import type { World } from '../../../../test/world.ts';

/** Creates a staff member who may read every report. */
export const reader = (
  world: World,
  providerId: number,
  permissions: readonly string[] = ['super_admin'],
): Promise<number> =>
  world.work(providerId, async ({ tx }) => {
    const made = await tx.one<{ id: number }>(
      sql`INSERT INTO staff (provider_id, first_name, last_name, email, permissions)
        VALUES (${providerId}, 'Kim', 'Reyes', ${`kim-${randomUUID()}@example.com`}, ${[...permissions]}::text[])
        RETURNING id`,
    );
    return made!.id;
  });

export const SEEDS: Seeds = {
  report_schedule: async (world, providerId) => {
    const recipient = await reader(world, providerId);
    return world.work(providerId, async ({ tx, now }) => {
      const made = await tx.one<{ id: number }>(sql`
        INSERT INTO report_schedule (provider_id, owner_id, report, form, format, asked, frequency, day_of_week, time,
          recipient_ids, status, next_run_at)
        VALUES (${providerId}, ${recipient}, 'customers', 'rows', 'csv', '{}', 'weekly', 'monday', '07:00',
          ${[recipient]}::bigint[], 'active',
          ${instant(now + 86_400_000)}) RETURNING id`);
      return made!.id;
    });
  },
  /** Belongs to the machine token that the generic tests use: nobody else could see it. */
  report_export: async (world, providerId) => {
    const schedule = await seed(world, 'report_schedule', providerId);
    return world.work(providerId, async ({ tx, now }) => {
      const { actor } = (await tx.one<{ actor: string }>(
        sql`SELECT 'machine_token:' || min(id) AS actor FROM machine_token WHERE provider_id = ${providerId}`,
      ))!;
      const job = await tx.one<{ id: number }>(
        sql`INSERT INTO job (provider_id, total_items, state, asked_by) VALUES (${providerId}, 0, 'pending', ${actor})
          RETURNING id`,
      );
      const made = await tx.one<{ id: number }>(sql`
        INSERT INTO report_export (provider_id, schedule_id, job_id, report, form, format, asked, asked_by, permissions,
          next_at, created_at, updated_at)
        VALUES (${providerId}, ${schedule}, ${job!.id}, 'customers', 'rows', 'csv', '{}', ${actor}, '{}',
          ${instant(now + 86_400_000)}, ${instant(now)}, ${instant(now)})
        RETURNING id`);
      return made!.id;
    });
  },
};
