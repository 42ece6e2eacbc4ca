import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const staffCreated = feedItemKind('staff.created', {
  object: 'staff',
  description: 'A staff member was created.',
  payload: { staff: id() },
});

export const staffUpdated = feedItemKind('staff.updated', {
  object: 'staff',
  description: 'A staff member was updated, including their permissions. `changed` lists the properties.',
  payload: { staff: id(), changed: listOf(text()) },
});

export const instructorCreated = feedItemKind('instructor.created', {
  object: 'instructor',
  description: 'An instructor was created from a staff member.',
  payload: { instructor: id(), staff: id() },
});

export const instructorUpdated = feedItemKind('instructor.updated', {
  object: 'instructor',
  description: 'An instructor was updated. `changed` lists the properties.',
  payload: { instructor: id(), changed: listOf(text()) },
});
