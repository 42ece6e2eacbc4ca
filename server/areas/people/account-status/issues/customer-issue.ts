import { embedded, group, id, instant, oneOf, integer, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { raw, type Sql } from '../../../../kernel/base/db/sql.ts';
import { resource, type Properties } from '../../../../kernel/api/resource.ts';

export const IMPORTANCES = ['flag_on_profile', 'normal', 'closed'] as const;

/** The importance as responses spell it; requests use the names in `IMPORTANCES`. */
const SPELLED = ['Flag on Profiles', 'Normal', 'Consider case closed'] as const;

const byImportance = (t: string, values: readonly (string | number)[]): Sql =>
  raw(`(CASE ${t}.importance ${IMPORTANCES.map((name, i) => `WHEN '${name}' THEN ${values[i]}`).join(' ')} END)`);

/** Returns the number of an importance, 1 to 3. */
export const statusId = (t: string): Sql => byImportance(t, [1, 2, 3]);

export const customerIssue = resource('customer_issue', {
  description:
    'A matter about a customer that staff keep an eye on, for example a complaint or an injury. Customers never see it.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    customer: ref('customer'),
    status: group({
      id: integer({ min: 1 }).from(statusId).describe('1: flagged on the profile. 2: normal. 3: closed.'),
      importance: oneOf(SPELLED).from((t) =>
        byImportance(
          t,
          SPELLED.map((name) => `'${name}'`),
        ),
      ),
    }),
    case_type: group({
      name: text({ max: 256 })
        .nullable()
        .from((t) => raw(`${t}.case_type`)),
    })
      .deferred()
      .describe('The kind of matter, in the words of the business.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: (_t, viewer) => may(viewer, 'customers'), customer: false, unregistered: false },
});

export const issuesOfCustomer: Properties = {
  fields: {
    flagged_issues: embedded('customer_issue', { column: 'customer_id' }, (i) =>
      raw(`${i}.importance = 'flag_on_profile'`),
    )
      .deferred()
      .describe('Issues that are flagged on the profile. Empty for staff without the permission `customers`.'),
  },
  shown: { flagged_issues: { provider: ['customers'], customer: false } },
};
