/** Endpoint by which staff recalculate open sessions with the current rates. */
import { action, answer, staffWith } from '../../../kernel/api/endpoint.ts';
import { addDays } from '../../../kernel/base/values/zone.ts';
import { calculate } from './calculate.ts';
import { date, integer, refs } from '../../../kernel/base/fields/kinds.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { lockProgress } from './progress.ts';

const MAX_DAYS = 92;
const MAX_SESSIONS = 2000;

export const recalculate = action({
  path: '/instructor_pay_items/recalculate',
  summary: 'Calculate pay again',
  description: `Calculates sessions that are over by the rates as they are now. What was approved stays as it is. At most ${MAX_DAYS} days and ${MAX_SESSIONS} sessions in one call; \`?dry_run=true\` shows what would change.`,
  who: staffWith('super_admin', 'revenue'),
  body: {
    starts_on: date().describe('The first day of the sessions, by the clock of their venue.'),
    ends_on: date().describe('The last day.'),
    instructors: refs('instructor', { max: 1000 }).optional().describe('If left out, all instructors.'),
  },
  returns: answer({
    sessions: integer().describe('Number of sessions checked.'),
    changed: integer().describe('For how many instructors and sessions there is another result.'),
  }),
  run: async ({ work, body: { starts_on: first, ends_on: last, instructors } }) => {
    if (last < first) throw invalid('ends_on', 'Must not be before starts_on.');
    if (last > addDays(first, MAX_DAYS - 1)) throw invalid('ends_on', `Must be within ${MAX_DAYS} days of starts_on.`);
    if ((await lockProgress(work)) === undefined) return { sessions: 0, changed: 0 };
    const events = await work.tx.rows<{ id: number }>(sql`
      SELECT e.id FROM event e
      WHERE e.provider_id = ${work.providerId} AND e.ends_at <= ${instant(work.now)}::timestamptz
        AND e.local_starts_at >= ${first}::date AND e.local_starts_at < ${last}::date + 1
        AND EXISTS (SELECT FROM event_instructor t WHERE t.provider_id = e.provider_id AND t.event_id = e.id
          AND (${instructors ?? null}::bigint[] IS NULL OR t.instructor_id = ANY(${instructors ?? null}::bigint[])))
      ORDER BY e.id LIMIT ${MAX_SESSIONS + 1}`);
    if (events.length > MAX_SESSIONS)
      throw invalid('ends_on', `There are more than ${MAX_SESSIONS} sessions. Choose fewer days, or some instructors.`);
    const changed = await calculate(
      work,
      events.map(({ id }) => id),
      { anew: true, ...(instructors && { instructors }) },
    );
    return { sessions: events.length, changed };
  },
});
