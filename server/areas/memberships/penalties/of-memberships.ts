/** Addition of this area to memberships: the penalty system that applies to them. */
import { raw } from '../../../kernel/base/db/sql.ts';
import { refBy } from '../../../kernel/base/fields/kinds.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

/** Returns the active system. */
const penaltySystem = (t: string) =>
  raw(`(SELECT l.membership_penalty_system_id FROM membership_penalty_system_membership l
  WHERE l.provider_id = ${t}.provider_id AND l.membership_id = ${t}.id AND l.system_status = 'active')`);

export const membershipProperties: Properties = {
  fields: {
    penalty_system: refBy('membership_penalty_system', penaltySystem)
      .nullable()
      .describe('Penalties for late cancellations and absences. Null means none.'),
  },
};
