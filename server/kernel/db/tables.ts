/** The tables of the kernel: only it writes and locks them. All others are named by the area that owns them. */
export const KERNEL_TABLES: readonly string[] = [
  'access_change',
  'access_epoch',
  'audit_entry',
  'feed_item',
  'feed_item_set_aside',
  'feed_position',
  'feed_reader',
  'feed_reader_position',
  'idempotency_key',
  'job_effect',
  'mail_outbox',
  'row_count',
  'schema_migration',
  'test_clock',
];
