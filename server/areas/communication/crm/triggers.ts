/**
 * What can set off a workflow or the rule of a status: whatever happens to one customer, in whichever area it is
 * declared.
 */
import { feedItemType } from '../../../kernel/feed/feed-item.ts';
import { listOf } from '../../../kernel/api/kinds.ts';
import { idsIn } from '../../../kernel/feed/feed-item.ts';
import { isTrigger } from './rules/trigger.ts';

export const customerTrigger = () =>
  feedItemType((kind) =>
    isTrigger(
      kind,
      idsIn(kind).map(({ property }) => property),
    ),
  );

export const customerTriggers = () => listOf(customerTrigger(), { max: 50 });
