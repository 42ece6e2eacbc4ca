/** Tables of the kernel. */
import { MAX_AHEAD_MS } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const KERNEL: Readonly<Record<string, ArrivingTable>> = {
  // kernel
  audit_entry: { own: 'action actor after application_id at before id mode object object_id request_id user_id' },
  feed_item: { own: 'id kind object object_id occurred_at payload seq' },
  feed_item_set_aside: { own: 'again attempts error reader seq set_aside_at' },
  feed_position: { own: 'gone_seq last_seq read_seq' },
  feed_reader_position: { own: 'attempts error fails_by last_seq reader retry_at' },
  row_count: { own: 'n relation stripe' },
  test_clock: {
    own: 'failure is_test',
    reset: {
      advances_from: { to: () => null, said: 'advance of a test clock that was under way' },
      advances_to: { to: () => null, said: null },
    },
    checked: { ahead_ms: { holds: (ms) => ms <= MAX_AHEAD_MS, must: 'is more than fifty years' } },
  },
};
