/** Closed days for tests: through the interface, with all jobs run to completion. */
import assert from 'node:assert/strict';
import { bulkJob, type BulkKind } from '../../areas/platform/bulk/index.ts';
import { closeEvents } from '../../areas/availability/closures/closing.ts';
import { extendMemberships } from '../../areas/availability/closures/extending.ts';
import { fillSeries } from '../../areas/availability/closures/filling.ts';
import { reopenClosed } from '../../areas/availability/closures/undoing.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { World } from '../world.ts';

type Effects = { effect: string; object: string; id: number | null; detail: any }[];

const KINDS: readonly BulkKind[] = [closeEvents, extendMemberships, reopenClosed, fillSeries];

/** Runs the remaining bulk actions of the business. Returns what blocks each object, by id. */
export async function runBulk(world: World): Promise<Record<number, string>> {
  const said: Record<number, string> = {};
  for (;;) {
    const open = await world.work(world.harbour, ({ tx }) =>
      tx.one<{ id: number; type: string }>(
        sql`SELECT a.id, a.type FROM bulk_action a WHERE a.provider_id = ${world.harbour}
          AND a.type = ANY(${KINDS.map(({ type }) => type)}::text[]) AND EXISTS (
              SELECT FROM bulk_action_result r WHERE r.provider_id = a.provider_id AND r.bulk_action_id = a.id
                AND r.status = 'pending') ORDER BY a.id LIMIT 1`,
      ),
    );
    if (!open) return said;
    const kind = KINDS.find(({ type }) => type === open.type)!;
    await world.work(world.harbour, (work) => bulkJob(kind).run(work, { bulk_action: open.id }));
    const { results } = (await world.get(`/bulk_actions/${open.id}/results`, { as: world.machine })).body;
    for (const { primary_object, error_message } of results) if (error_message) said[primary_object] = error_message;
  }
}

/** Closes days and runs the jobs. Returns the closures by date, those of all venues or of the first venue named. */
export async function closeDays(world: World, body: Record<string, any>): Promise<Record<string, number>> {
  const answer = await world.post('/business_closures/bulk_close', { as: world.machine, body });
  assert.equal(answer.status, 200, answer.text);
  await runBulk(world);
  return closuresOf(world, answer.body.id);
}

export async function closuresOf(world: World, bulkAction: number): Promise<Record<string, number>> {
  const rows = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ id: number; date: string }>(
      sql`SELECT id, closure_date AS date FROM business_closure WHERE provider_id = ${world.harbour}
        AND bulk_action_id = ${bulkAction} ORDER BY id DESC`,
    ),
  );
  return Object.fromEntries(rows.map(({ id, date }) => [date, id]));
}

/** Previews closing a day, or undoing it. */
export async function foreseen(
  world: World,
  method: 'POST' | 'DELETE',
  path: string,
  body: object = {},
): Promise<Effects> {
  const answer = await world.ask(method, `${path}?dry_run=true`, { as: world.machine, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.effects;
}

/** Returns effects in short form: their names and the requested details. */
export const named = (effects: Effects, ...effect: string[]): any[] =>
  effects.filter((e) => effect.includes(e.effect)).map(({ id, detail }) => ({ id, ...detail }));
