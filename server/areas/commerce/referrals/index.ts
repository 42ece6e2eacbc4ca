import { accountReasons } from '../../money/account-entries/index.ts';
import { customerReferralSettings, settingsEndpoints } from './settings.ts';
import { FEED } from './feed.ts';
import { ledgerChecks } from '../../money/ledger/index.ts';
import { referral } from './referral.ts';
import { REFERRAL_REWARD, REFERRAL_WELCOME } from './account-reasons.ts';
import { REFERRAL_REWARDED, REFERRAL_WELCOMED } from './notice-types.ts';
import { referralCreditCheck } from './ledger-check.ts';
import { referralEndpoints } from './endpoints.ts';
import { referralsReader } from './reader.ts';
import { referralPreview } from './start.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { invitationBy, type Invitation } from './invitation.ts';

export const referrals: Area = {
  name: 'referrals',
  description: 'Customers who bring others along: who referred whom, and what both get for it.',
  tables: TABLES,
  resources: [referral, customerReferralSettings],
  endpoints: [...settingsEndpoints, ...referralEndpoints],
  feed: FEED,
  fills: [accountReasons.with(REFERRAL_REWARD, REFERRAL_WELCOME), ledgerChecks.with(referralCreditCheck)],
  notices: [REFERRAL_REWARDED, REFERRAL_WELCOMED],
  readers: [referralsReader],
  consequences: [referralPreview],
};
