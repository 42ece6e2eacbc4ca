/**
 * How long the service waits for its database, in the clock of this process: what the server promises holds only while
 * it lives.
 */
export interface Patience {
  /** to connect, what is sent first included, ms */
  readonly connectMs: number;
  /** for a connection of the pool */
  readonly acquireMs: number;
  /** without a byte of an answer before the server is asked whether it still works on it */
  readonly silentMs: number;
  /** for the answer to that */
  readonly lookMs: number;
  /** for one exchange, however much the server works on it; above its own limit for a statement */
  readonly answerMs: number;
  /** for a COMMIT */
  readonly commitMs: number;
  /** between two looks at the clock */
  readonly checkMs: number;
  /** so long a full disk is taken to be full after it was last found so */
  readonly fullMs: number;
  /** a replica may be unused or behind for so long before the operator hears of it */
  readonly tellMs: number;
  /** an idle connection is tried out so often, where nobody else would notice that it is gone; absent: never */
  readonly heartbeatMs?: number;
}

/**
 * For a timer that gives up on an answer: where this process itself stood still, the answer may have come, and is read
 * before `act` runs.
 */
export const onceRead = (act: () => void) => (): void => void setImmediate(act);

/** What docs/operations.md says. */
export const PATIENCE: Patience = {
  connectMs: 5000,
  acquireMs: 10_000,
  silentMs: 4000,
  lookMs: 3000,
  answerMs: 45_000,
  commitMs: 10_000,
  checkMs: 500,
  fullMs: 30_000,
  tellMs: 5000,
};

/** For a connection that only listens or holds a lock: one that nobody uses is noticed by nobody. */
export const attentive = (patience: Patience = PATIENCE): Patience => ({ heartbeatMs: 10_000, ...patience });

/** For commands that may take as long as they take: migrations, backup, restore. */
export const UNHURRIED: Patience = { ...PATIENCE, answerMs: Infinity, silentMs: Infinity };
