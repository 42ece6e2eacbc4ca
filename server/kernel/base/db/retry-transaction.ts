/**
 * Thrown by whoever finds, once it holds its locks, that what it decided before is not so any more: the transaction is
 * undone and begins anew, as one that the database could not serialize.
 */
export class RetryTransaction extends Error {
  readonly code = '40001';
}
