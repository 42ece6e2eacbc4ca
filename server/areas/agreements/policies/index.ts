import { changePolicies } from './change-policies.ts';
import { FEED } from './feed.ts';
import { findPolicies } from './find-policies.ts';
import { policy, policyAgreement, policyVersion } from './policy.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { checkLanguages, textFor, translations, type Translation } from './texts.ts';
export { missingPolicies, policiesOfCheckout, type PolicyInEffect } from './missing.ts';

export const policies: Area = {
  name: 'policies',
  description: 'Texts that customers agree to, with their versions, and the agreements.',
  tables: TABLES,
  translations: readTranslations('policies/refusals'),
  resources: [policy, policyVersion, policyAgreement],
  endpoints: [...findPolicies, ...changePolicies],
  feed: FEED,
};
