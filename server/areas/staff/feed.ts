import { id, listOf, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const staffCreated = feedItemKind('staff.created', {
  object: 'staff',
  description: 'Somebody joined the staff.',
  payload: { staff: id() },
});

export const staffUpdated = feedItemKind('staff.updated', {
  object: 'staff',
  description: 'Something about a staff member changed, permissions included; `changed` names the properties.',
  payload: { staff: id(), changed: listOf(text()) },
});

export const instructorCreated = feedItemKind('instructor.created', {
  object: 'instructor',
  description: 'A staff member became an instructor.',
  payload: { instructor: id(), staff: id() },
});

export const instructorUpdated = feedItemKind('instructor.updated', {
  object: 'instructor',
  description: 'Something about an instructor changed; `changed` names the properties.',
  payload: { instructor: id(), changed: listOf(text()) },
});
