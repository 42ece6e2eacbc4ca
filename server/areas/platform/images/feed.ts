import { id } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const imageFeed = feedKinds(
  'image',
  { image: id() },
  {
    created: 'An image was uploaded.',
  },
);
