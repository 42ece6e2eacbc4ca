import { PATIENCE, type Patience } from '../kernel/base/db/connections/patience.ts';

const TWO_MINUTES_MS = 120_000;

/**
 * The waits of services in tests: on a busy machine, the database answers and a connection comes free, however long it
 * takes. Tests of the waits themselves bring others, such as those of hasty.ts.
 */
export const PATIENT: Patience = {
  ...PATIENCE,
  connectMs: TWO_MINUTES_MS,
  acquireMs: TWO_MINUTES_MS,
  silentMs: TWO_MINUTES_MS,
  commitMs: TWO_MINUTES_MS,
};
