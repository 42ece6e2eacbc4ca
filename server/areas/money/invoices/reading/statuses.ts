/** Statuses of an invoice. */
export const STATUSES = [
  'open',
  'paid',
  'pending_offline',
  'pending',
  'failed',
  'voided',
  'retrying',
  'retry_failed',
  'upcoming',
  'draft',
  'skipped',
] as const;

export type Status = (typeof STATUSES)[number];

/** Statuses in which an amount may still be due. */
export const UNPAID: readonly Status[] = ['open', 'pending_offline', 'pending', 'failed', 'retrying', 'retry_failed'];
