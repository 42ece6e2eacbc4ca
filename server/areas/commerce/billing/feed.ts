import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

const object = 'payment_subscription';
const of = { payment_subscription: id(), customer_membership: ref('customermembership'), customer: id() };

export const subscriptionCreated = feedItemKind('payment_subscription.created', {
  object,
  description: 'A recurring plan was sold: its billing periods will be invoiced and collected.',
  payload: of,
});
export const subscriptionUpdated = feedItemKind('payment_subscription.updated', {
  object,
  description: 'How a recurring plan is paid was changed; `changed` names the properties.',
  payload: { ...of, changed: listOf(text()) },
});

export const FEED = [subscriptionCreated, subscriptionUpdated];
