/** Sessions of an instructor that no rate covers, or that several cover equally well. */
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { answer, read, STAFF } from '../../../kernel/api/endpoint.ts';
import { coverageOf } from './rules/coverage.ts';
import { date, integer, listOf, object, ref, refs } from '../../../kernel/base/fields/kinds.ts';
import { instructor } from '../../people/staff/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { readPlan, readRates } from './facts.ts';
import { seesAllPay } from './pay-item.ts';

const MAX_DAYS = 366;
const USUAL_DAYS = 31;
/** calendar years end at 9999 */
const LATEST = '9998-12-31';

const sessionsShape = {
  offering_type: ref('offering_type'),
  venue: ref('venue'),
  sessions: integer(),
  first_on: date(),
  last_on: date(),
};

export const coverage = read({
  path: '/instructors/{id}/pay_rate_coverage',
  summary: 'Get how far pay rates cover the sessions of an instructor',
  description: `Looks at the sessions of some days, past or to come, and tells which of them no rate covers, and which several rates cover equally well. Instructors can ask about themselves; \`revenue\` can ask about everyone. At most ${MAX_DAYS} days.`,
  who: STAFF,
  target: instructor,
  query: {
    starts_on: date().optional().describe('If left out, today.'),
    ends_on: date()
      .optional()
      .describe(`If left out, ${USUAL_DAYS - 1} days after starts_on.`),
  },
  returns: answer({
    instructor: ref('instructor'),
    starts_on: date(),
    ends_on: date(),
    sessions: integer(),
    covered_sessions: integer(),
    uncovered: listOf(object(sessionsShape)).describe(
      'Combinations that no rate covers. Sessions of one offering type and venue are together.',
    ),
    ambiguous: listOf(object({ ...sessionsShape, instructor_pay_rates: refs('instructor_pay_rate') })).describe(
      'Combinations that several rates cover equally well. The first rate, which is the newest, counts.',
    ),
  }),
  run: async ({ work, target, query }) => {
    const { viewer } = work;
    if (!seesAllPay(viewer) && target.staff_id !== viewer.staffId)
      throw new Problem(
        'permission_denied',
        'In provider mode, you can ask about yourself only. For others, you need the permission revenue.',
      );
    const from = query.starts_on ?? wallAt(work.now, work.tenant.zone).date;
    // The days after it must be valid dates too.
    if (from > LATEST) throw invalid('starts_on', `Must be ${LATEST} at the latest.`);
    const to = query.ends_on ?? addDays(from, USUAL_DAYS - 1);
    if (to < from) throw invalid('ends_on', 'Must not be before starts_on.');
    if (to > addDays(from, MAX_DAYS - 1)) throw invalid('ends_on', `Must be within ${MAX_DAYS} days of starts_on.`);
    const [plan, rates] = await Promise.all([
      readPlan(work, { instructor: target.id, from, to, venues: viewer.venues }),
      readRates(work),
    ]);
    return { instructor: target.id, starts_on: from, ends_on: to, ...coverageOf(plan, rates) };
  },
});
