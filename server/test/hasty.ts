import type { Patience } from '../kernel/base/db/connections/patience.ts';
import { slowness } from './runner/speed.ts';

/** A busy machine takes longer, and that is not a failure. */
const slow = slowness();

/** Shortened waits of the service, for tests that wait for them. */
export const HASTY: Patience = {
  connectMs: 1000 * slow,
  acquireMs: 1300 * slow,
  silentMs: 300,
  lookMs: 1000 * slow,
  statementMs: 30_000,
  listMs: 5000,
  answerMs: 3_600_000,
  commitMs: 700 * slow,
  checkMs: 50,
  fullMs: 1500,
  tellMs: 500,
};
