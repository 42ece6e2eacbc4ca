/**
 * Triggers of workflows and status rules: everything that happens to one customer, in whichever area it is declared.
 */
import { feedItemType, idsIn } from '../../../kernel/work/feed/feed-item.ts';
import { listOf } from '../../../kernel/base/fields/kinds.ts';
import { isTrigger } from './rules/trigger.ts';

export const customerTrigger = () =>
  feedItemType((kind) =>
    isTrigger(
      kind,
      idsIn(kind).map(({ property }) => property),
    ),
  );

export const customerTriggers = () => listOf(customerTrigger(), { max: 50 }).means('triggers');
