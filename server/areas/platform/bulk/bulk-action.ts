import { raw, sql, type Sql } from '../../../kernel/db/sql.ts';
import { embeddedOne, id, integer, oneOf, ref, text, uri } from '../../../kernel/api/kinds.ts';
import { resource, type Place } from '../../../kernel/api/resource.ts';
import { viewingVenues } from '../../../kernel/access/viewer.ts';

const STAFF_ONLY = { provider: true, customer: false, unregistered: false } as const;

/**
 * Where the objects of the action were when it was asked for: an action that reaches further is not theirs to watch.
 */
const whereItActs = (action: (t: string) => Sql): Place => ({
  within: (t) =>
    sql`EXISTS (SELECT FROM bulk_action a WHERE a.provider_id = ${raw(t)}.provider_id AND ${action(t)} AND a.venue_ids <@ ${viewingVenues}::bigint[])`,
  elsewhere: 'hidden',
});

export const job = resource('job', {
  description: 'A longer piece of work and its progress.',
  fields: {
    id: id(),
    result_url: uri().computed(
      (t) => [raw(`(SELECT b.id FROM bulk_action b WHERE b.provider_id = ${t}.provider_id AND b.job_id = ${t}.id)`)],
      ([bulkAction], wire) => `${wire.baseUrl}/api/v2/bulk_actions/${bulkAction}/results`,
    ),
    total_items: integer({ min: 0 }),
    complete_items: integer({ min: 0 }),
  },
  visible: STAFF_ONLY,
  place: whereItActs((t) => raw(`a.job_id = ${t}.id`)),
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

export const bulkActionResult = resource('bulk_action_result', {
  description: 'The result of a bulk action for one object.',
  fields: {
    id: id(),
    primary_object: id(),
    status: oneOf(['pending', 'success', 'error']),
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
