import { accountReasons } from '../../money/account-entries/index.ts';
import { membershipProperties } from './of-memberships.ts';
import { chargeJob, sweepDue } from './charge.ts';
import { FEED } from './feed.ts';
import { findStrikes, membershipPenalty, membershipStrike } from './strike.ts';
import { forgive, voidPending } from './forgive.ts';
import { membershipPenaltyMessage, messageEndpoints } from './messages.ts';
import { membershipPenaltySystem } from './system.ts';
import { PENALTY } from './account-reasons.ts';
import { penaltiesReader } from './reader.ts';
import { strikePreview } from './preview.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { MEMBERSHIP_PENALTY, showNotificationType } from './notification-type.ts';
import { systemEndpoints } from './change-systems.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { chargeDue } from './charge.ts';
export { createSystem } from './change-systems.ts';
export { STRIKE_STATUSES, strikeStatus } from './strike.ts';

const MEMBERSHIP_TAKEN =
  'Another active system already has one of them. Remove it there first, or archive that system.';

/** The cost of late cancellations and absences for holders of a membership. */
export const penalties: Area = {
  name: 'penalties',
  description:
    'What late cancellations and absences cost people who hold a membership: rules, strikes, penalties, and the messages about them.',
  tables: TABLES,
  properties: { membership: membershipProperties },
  resources: [membershipPenaltySystem, membershipStrike, membershipPenalty, membershipPenaltyMessage],
  endpoints: [...systemEndpoints, voidPending, ...findStrikes, forgive, showNotificationType, ...messageEndpoints],
  feed: FEED,
  fills: [accountReasons.with(PENALTY)],
  notices: [MEMBERSHIP_PENALTY],
  readers: [penaltiesReader],
  consequences: [strikePreview],
  jobs: [chargeJob],
  sweep: sweepDue,
  constraints: {
    membership_one_penalty_system: () =>
      new Problem('already_exists', `memberships: ${MEMBERSHIP_TAKEN}`, { memberships: [MEMBERSHIP_TAKEN] }),
  },
};
