import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id } from '../../../kernel/base/fields/kinds.ts';

export const waiverFeed = feedKinds(
  'waiver',
  { waiver: id() },
  {
    created: 'A waiver was created, with its first text.',
    updated: 'A waiver was changed or archived, or its text has a new version; `changed` names the properties.',
    requested: { description: 'Staff asked a customer by email to sign the waiver.', payload: { customer: id() } },
  },
);

export const waiverAgreementFeed = feedKinds(
  'waiver_agreement',
  { waiver_agreement: id(), waiver: id(), customer: id() },
  { created: 'A customer, or somebody for them, signed a waiver.' },
);

export const FEED = [waiverFeed, waiverAgreementFeed];
