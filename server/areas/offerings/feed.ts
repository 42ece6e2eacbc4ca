import { id, listOf, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const offeringTypeCreated = feedItemKind('offering_type.created', {
  object: 'offering_type',
  description: 'The business offers something new.',
  payload: { offering_type: id() },
});

export const offeringTypeUpdated = feedItemKind('offering_type.updated', {
  object: 'offering_type',
  description: 'Something about an offering type changed, its place in lists included; `changed` names the properties.',
  payload: { offering_type: id(), changed: listOf(text()) },
});

export const timelineCreated = feedItemKind('registration_timeline.created', {
  object: 'registration_timeline',
  description: 'There is a new registration timeline.',
  payload: { registration_timeline: id() },
});

export const timelineUpdated = feedItemKind('registration_timeline.updated', {
  object: 'registration_timeline',
  description: 'A registration timeline changed; `changed` names the properties.',
  payload: { registration_timeline: id(), changed: listOf(text()) },
});

export const timelineDeleted = feedItemKind('registration_timeline.deleted', {
  object: 'registration_timeline',
  description: 'A registration timeline that nothing used was deleted.',
  payload: { registration_timeline: id() },
});

export const categoryCreated = feedItemKind('offering_type_category.created', {
  object: 'offering_type_category',
  description: 'There is a new heading for what is offered.',
  payload: { offering_type_category: id() },
});

export const categoryUpdated = feedItemKind('offering_type_category.updated', {
  object: 'offering_type_category',
  description: 'A heading changed; `changed` names the properties.',
  payload: { offering_type_category: id(), changed: listOf(text()) },
});
