import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const offeringTypeCreated = feedItemKind('offering_type.created', {
  object: 'offering_type',
  description: 'An offering type was created.',
  payload: { offering_type: id() },
});

export const offeringTypeUpdated = feedItemKind('offering_type.updated', {
  object: 'offering_type',
  description: 'An offering type was updated, including its position in lists. `changed` lists the properties.',
  payload: { offering_type: id(), changed: listOf(text()) },
});

export const timelineCreated = feedItemKind('registration_timeline.created', {
  object: 'registration_timeline',
  description: 'A registration timeline was created.',
  payload: { registration_timeline: id() },
});

export const timelineUpdated = feedItemKind('registration_timeline.updated', {
  object: 'registration_timeline',
  description: 'A registration timeline was updated. `changed` lists the properties.',
  payload: { registration_timeline: id(), changed: listOf(text()) },
});

export const timelineDeleted = feedItemKind('registration_timeline.deleted', {
  object: 'registration_timeline',
  description: 'An unused registration timeline was deleted.',
  payload: { registration_timeline: id() },
});

export const categoryCreated = feedItemKind('offering_type_category.created', {
  object: 'offering_type_category',
  description: 'A category of offering types was created.',
  payload: { offering_type_category: id() },
});

export const categoryUpdated = feedItemKind('offering_type_category.updated', {
  object: 'offering_type_category',
  description: 'A category of offering types was updated. `changed` lists the properties.',
  payload: { offering_type_category: id(), changed: listOf(text()) },
});
