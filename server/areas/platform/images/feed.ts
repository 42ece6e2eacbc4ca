import { id } from '../../../kernel/api/kinds.ts';
import { feedItemKind } from '../../../kernel/feed/feed-item.ts';

export const imageCreated = feedItemKind('image.created', {
  object: 'image',
  description: 'An image was uploaded.',
  payload: { image: id() },
});
