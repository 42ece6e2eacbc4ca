import type { AccountReason } from '../../money/account-entries/index.ts';

export const PENALTY = {
  name: 'penalty',
  description: 'The charge for one late cancellation or absence too many.',
  subject: 'membership_penalty',
  revenue: 'membership_penalty_fee',
  once: true,
} as const satisfies AccountReason;
