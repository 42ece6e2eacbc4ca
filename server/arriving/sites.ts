/** Tables of the areas in `sites`. */
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const SITES: Readonly<Record<string, ArrivingTable>> = {
  // open
  open_change: { own: 'last' },
  open_session: { own: 'ends_at event_id modified' },
};
