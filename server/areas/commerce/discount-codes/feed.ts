import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

export const codeCreated = feedItemKind('discount_code.created', {
  object: 'discount_code',
  description: 'A discount code was created.',
  payload: { discount_code: id() },
});

export const codeUpdated = feedItemKind('discount_code.updated', {
  object: 'discount_code',
  description: 'A discount code was changed, activated or deactivated; `changed` names the properties.',
  payload: { discount_code: id(), changed: listOf(text()) },
});

export const codeUsed = feedItemKind('discount_code.used', {
  object: 'discount_code',
  description: 'A checkout with a discount code was completed.',
  payload: { discount_code: id(), customer: ref('customer') },
});

export const groupCreated = feedItemKind('discount_code_group.created', {
  object: 'discount_code_group',
  description: 'A group of discount codes was created.',
  payload: { discount_code_group: id() },
});

const ofApplicability = {
  object: 'discount_code_applicability',
  payload: { discount_code_applicability: id(), discount_code: ref('discount_code') },
};

export const applicabilityCreated = feedItemKind('discount_code_applicability.created', {
  ...ofApplicability,
  description: 'A discount code was allowed for an object, or the object was excluded.',
});

export const applicabilityUpdated = feedItemKind('discount_code_applicability.updated', {
  ...ofApplicability,
  payload: { ...ofApplicability.payload, changed: listOf(text()) },
  description: 'What a discount code says about an object was changed; `changed` names the properties.',
});

export const applicabilityDeleted = feedItemKind('discount_code_applicability.deleted', {
  ...ofApplicability,
  description: 'A discount code no longer says anything about an object.',
});

export const FEED = [
  codeCreated,
  codeUpdated,
  codeUsed,
  groupCreated,
  applicabilityCreated,
  applicabilityUpdated,
  applicabilityDeleted,
];
