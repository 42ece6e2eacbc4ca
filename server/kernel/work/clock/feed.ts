import { boolean, ref } from '../../base/fields/kinds.ts';
import { feedItemKind } from '../feed/feed-item.ts';

export const advancing = feedItemKind('test_clock.advancing', {
  object: 'provider',
  description: 'The clock of a test business began to advance.',
  payload: { provider: ref('provider') },
});

export const advanced = feedItemKind('test_clock.advanced', {
  object: 'provider',
  description:
    'The clock of a test business has been advanced, and everything that was due until then is done. If a job failed, `completed` is false: the clock stopped before its time.',
  payload: { provider: ref('provider'), completed: boolean() },
});
