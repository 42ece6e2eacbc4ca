/** Time limits of the service for its database, on the clock of this process: they hold only while the process runs. */
export interface Patience {
  /** for connecting, including the first commands, in milliseconds */
  readonly connectMs: number;
  /** for a connection of the pool */
  readonly acquireMs: number;
  /** without a byte of a response, before the server is asked whether it is still working on it */
  readonly silentMs: number;
  /** for the response to that */
  readonly lookMs: number;
  /** for one statement, on the server */
  readonly statementMs: number;
  /** for one statement of a list, on the server */
  readonly listMs: number;
  /** for one exchange, even if the server is working on it; longer than the server's own limit for a statement */
  readonly answerMs: number;
  /** for a COMMIT */
  readonly commitMs: number;
  /** between two checks of the clock */
  readonly checkMs: number;
  /** a disk counts as full for this long after it was last found full */
  readonly fullMs: number;
  /** a replica may be unused or behind for this long before the operator is notified */
  readonly tellMs: number;
  /** interval of checks of an idle connection, if nobody else would notice that it is gone; absent: never */
  readonly heartbeatMs?: number;
}

/**
 * Wraps the callback of a timeout: if this process itself was stopped, the response may have arrived, and is read
 * before `act` runs.
 */
export const onceRead = (act: () => void) => (): void => void setImmediate(act);

/** The limits in docs/operations.md. */
export const PATIENCE: Patience = {
  connectMs: 5000,
  acquireMs: 10_000,
  silentMs: 4000,
  lookMs: 3000,
  statementMs: 30_000,
  listMs: 5000,
  answerMs: 45_000,
  commitMs: 10_000,
  checkMs: 500,
  fullMs: 30_000,
  tellMs: 5000,
};

/**
 * Returns limits for a connection that only listens or holds a lock: nobody notices the loss of a connection that is
 * not used.
 */
export const attentive = (patience: Patience = PATIENCE): Patience => ({ heartbeatMs: 10_000, ...patience });

/** Limits for commands of any duration: migrations, backup, restore. */
export const UNHURRIED: Patience = { ...PATIENCE, answerMs: Infinity, silentMs: Infinity };
