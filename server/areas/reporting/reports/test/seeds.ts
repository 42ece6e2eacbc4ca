import { instant, sql } from '../../../../kernel/db/sql.ts';
import type { Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  /** Of the machine token with which the tests over everything look: nobody else would see it. */
  report_export: (world, providerId) =>
    world.work(providerId, async ({ tx, now }) => {
      const { actor } = (await tx.one<{ actor: string }>(
        sql`SELECT 'machine_token:' || min(id) AS actor FROM machine_token WHERE provider_id = ${providerId}`,
      ))!;
      const job = await tx.one<{ id: number }>(
        sql`INSERT INTO job (provider_id, total_items, state, asked_by) VALUES (${providerId}, 0, 'pending', ${actor}) RETURNING id`,
      );
      const made = await tx.one<{ id: number }>(sql`
        INSERT INTO report_export (provider_id, job_id, report, form, format, asked, asked_by, permissions, next_at, created_at, updated_at)
        VALUES (${providerId}, ${job!.id}, 'customers', 'rows', 'csv', '{}', ${actor}, '{}', ${instant(now + 86_400_000)}, ${instant(now)}, ${instant(now)})
        RETURNING id`);
      return made!.id;
    }),
};
