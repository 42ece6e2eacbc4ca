import { param, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { embeddedOne, id, integer, oneOf, ref, text, uri } from '../../../kernel/base/fields/kinds.ts';
import { resource, type Place } from '../../../kernel/api/resource.ts';
import { viewingVenues, type Input } from '../../../kernel/work/access/viewer.ts';

const STAFF_ONLY = { provider: true, customer: false, unregistered: false } as const;

/**
 * Returns the venues of the objects when the action was requested: staff may not watch an action that reaches beyond
 * theirs.
 */
const whereItActs = (action: (t: string) => Sql): Place => ({
  within: (t) =>
    sql`
      EXISTS (SELECT FROM bulk_action a WHERE a.provider_id = ${raw(t)}.provider_id AND ${action(t)}
        AND a.venue_ids <@ ${viewingVenues}::bigint[])`,
  elsewhere: 'hidden',
});

const viewingActor = param<Input>((i) => i.viewer.actor);

/** Condition: a job that one person requested belongs to them alone. */
const ofActor = (t: string): Sql => sql`(${raw(t)}.asked_by IS NULL OR ${raw(t)}.asked_by = ${viewingActor})`;

export const JOB_STATUSES = ['pending', 'running', 'complete', 'failed', 'cancelled', 'expired'] as const;

export const job = resource('job', {
  description: 'A longer piece of work and its progress.',
  fields: {
    id: id(),
    status: oneOf(JOB_STATUSES).from((t) =>
      raw(
        `coalesce(${t}.state, CASE WHEN ${t}.complete_items >= ${t}.total_items THEN 'complete' WHEN ${t}.complete_items = 0 THEN 'pending' ELSE 'running' END)`,
      ),
    ),
    result_url: uri()
      .nullable()
      .computed(
        (t) => [
          raw(
            `coalesce(${t}.result_path, (SELECT '/bulk_actions/' || b.id || '/results' FROM bulk_action b WHERE b.provider_id = ${t}.provider_id AND b.job_id = ${t}.id))`,
          ),
        ],
        ([path], wire) => path && `${wire.baseUrl}/api/v2${path}`,
      )
      .describe('URL of the result. Null if there is none yet, or it was deleted.'),
    total_items: integer({ min: 0 }),
    complete_items: integer({ min: 0 }),
  },
  visible: { ...STAFF_ONLY, provider: ofActor },
  place: {
    within: (t) =>
      sql`(${raw(t)}.asked_by IS NOT NULL OR ${whereItActs((alias) => raw(`a.job_id = ${alias}.id`)).within(t)})`,
    elsewhere: 'hidden',
  },
});

export const bulkAction = resource('bulk_action', {
  description: 'One action on many objects, carried out by a job.',
  fields: {
    id: id(),
    type: text({ max: 128 }),
    job: ref('job').nullable(),
  },
  visible: STAFF_ONLY,
  place: whereItActs((t) => raw(`a.id = ${t}.id`)),
});

export const RESULT_STATUSES = ['pending', 'success', 'error'] as const;

export const bulkActionResult = resource('bulk_action_result', {
  description: 'The result of a bulk action for one object.',
  fields: {
    id: id(),
    primary_object: id(),
    status: oneOf(RESULT_STATUSES),
    error_message: text().nullable(),
    job: embeddedOne('job', (t) =>
      raw(`(SELECT b.job_id FROM bulk_action b WHERE b.provider_id = ${t}.provider_id AND b.id = ${t}.bulk_action_id)`),
    )
      .nullable()
      .deferred(),
  },
  visible: STAFF_ONLY,
  place: whereItActs((t) => raw(`a.id = ${t}.bulk_action_id`)),
});
