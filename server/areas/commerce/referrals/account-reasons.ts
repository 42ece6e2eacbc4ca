import type { AccountReason } from '../../money/account-entries/index.ts';

export const REFERRAL_REWARD: AccountReason = {
  name: 'referral_reward',
  description: 'Account credit for a customer who referred somebody.',
  subject: 'referral',
  revenue: null,
  once: true,
};

export const REFERRAL_WELCOME: AccountReason = {
  name: 'referral_welcome',
  description: 'Account credit for a customer whom somebody referred.',
  subject: 'referral',
  revenue: null,
  once: true,
};
