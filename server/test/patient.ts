import { PATIENCE, type Patience } from '../kernel/base/db/connections/patience.ts';

const TWO_MINUTES_MS = 120_000;

/**
 * The limits of services in tests: on a busy machine, a statement ends, the database answers and a connection comes
 * free, however long it takes. Statements are tested by their plans, never by their time. Tests of the waits themselves
 * bring others, such as those of hasty.ts.
 */
export const PATIENT: Patience = {
  ...PATIENCE,
  connectMs: TWO_MINUTES_MS,
  acquireMs: TWO_MINUTES_MS,
  silentMs: TWO_MINUTES_MS,
  commitMs: TWO_MINUTES_MS,
  statementMs: TWO_MINUTES_MS,
  listMs: TWO_MINUTES_MS,
  answerMs: 1.5 * TWO_MINUTES_MS,
};
