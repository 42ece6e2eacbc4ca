/** Reasons for charges and credits in addition to the price of a membership. */
import type { AccountReason } from '../../money/account-entries/index.ts';

const reason = (name: string, description: string): AccountReason => ({
  name,
  description,
  subject: 'customermembership',
  revenue: 'recurring_plan_membership',
});

export const HOLD: AccountReason = {
  ...reason('hold', 'The credit for days of a billing period on which the membership is on hold.'),
  waits: true,
};
export const REACTIVATION = reason(
  'reactivation',
  'The charge for the rest of a billing period, after a hold or when a membership that had ended continues.',
);
export const UPGRADE = reason('upgrade', 'The credit for what was left of a membership when another one replaced it.');
