import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';

export const policyFeed = feedKinds(
  'policy',
  { policy: id() },
  {
    created: 'A policy was created, with its first version.',
    updated: 'A policy was changed or archived; `changed` names the properties.',
  },
);

export const policyVersionFeed = feedKinds(
  'policy_version',
  { policy_version: id(), policy: id() },
  { created: 'A new version of a policy was published. It may take effect later.' },
);

export const policyAgreementFeed = feedKinds(
  'policy_agreement',
  { policy_agreement: id(), policy: id(), policy_version: id(), customer: id() },
  { created: 'A customer agreed to a version of a policy.' },
);

export const FEED = [policyFeed, policyVersionFeed, policyAgreementFeed];
