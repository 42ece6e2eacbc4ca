import type { AccountReason } from '../../money/account-entries/index.ts';

export const PENALTY: AccountReason = {
  name: 'penalty',
  description: 'The charge for one late cancellation or absence too many.',
  subject: 'membership_penalty',
};
