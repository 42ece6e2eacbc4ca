import { PATIENCE, type Patience } from '../kernel/db/patience.ts';

/** The waits of the service in short, for tests that wait for them; long enough for a machine that does much else. */
export const HASTY: Patience = {
  connectMs: 3000,
  acquireMs: 4000,
  silentMs: 300,
  lookMs: 3000,
  answerMs: 3_600_000,
  commitMs: 2000,
  checkMs: 50,
  fullMs: 1500,
};

/** For tests that ask more at once than there are connections: each gets one, however long it takes on a busy machine. */
export const PATIENT: Patience = { ...PATIENCE, acquireMs: 120_000 };
