import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const object = 'purchase_fee';

export const feeCreated = feedItemKind('purchase_fee.created', {
  object,
  description: 'A fee or a tax was created.',
  payload: { purchase_fee: id() },
});

export const feeUpdated = feedItemKind('purchase_fee.updated', {
  object,
  description: 'A fee or a tax was changed, archived or unarchived; `changed` names the properties.',
  payload: { purchase_fee: id(), changed: listOf(text()) },
});

export const feeDeleted = feedItemKind('purchase_fee.deleted', {
  object,
  description: 'A fee or a tax that was never charged was deleted.',
  payload: { purchase_fee: id() },
});
