/**
 * Thrown by code that finds, once it holds its locks, that an earlier decision is no longer valid: the transaction is
 * rolled back and runs again, like one that the database could not serialize.
 */
export class RetryTransaction extends Error {
  readonly code = '40001';
}
