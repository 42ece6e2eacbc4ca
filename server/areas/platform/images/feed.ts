import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const imageCreated = feedItemKind('image.created', {
  object: 'image',
  description: 'An image was uploaded.',
  payload: { image: id() },
});
