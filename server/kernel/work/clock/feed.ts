import { boolean, ref } from '../../base/fields/kinds.ts';
import { feedKinds } from '../feed/feed-item.ts';

export const testClockFeed = feedKinds(
  'test_clock',
  { provider: ref('provider') },
  {
    advancing: 'The clock of a test business began to advance.',
    advanced: {
      description:
        'The clock of a test business has been advanced, and everything that was due until then is done. If a job failed, `completed` is false: the clock stopped before its time.',
      payload: { completed: boolean() },
    },
  },
  { object: 'provider' },
);
