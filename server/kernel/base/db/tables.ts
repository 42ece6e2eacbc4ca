/** Tables of the kernel: only the kernel writes and locks them. All others are declared by the area that owns them. */
import { deleted, ofBusiness, ofInstallation, type Tables } from './table.ts';
import { sql } from './sql.ts';

export const KERNEL_TABLES: Tables = {
  ...ofInstallation(
    'access_change',
    'access_epoch',
    'account_clash',
    'account_news',
    'archived_month',
    'backup_record',
    'cell',
    'cell_business',
    'cell_name',
    'cell_move',
    'feed_reader',
    'process',
    'process_report',
    'restore_test',
    'schema_migration',
  ),
  // Feed items contain only ids and names of properties. An erasure removes a person's values from the audit.
  ...ofBusiness(
    'audit_entry',
    'feed_item',
    'feed_item_set_aside',
    'feed_position',
    'feed_reader_position',
    'row_count',
    'test_clock',
  ),
  idempotency_key: { stays: 'Answers are kept for a day, for repetitions of requests to this installation.' },
  job_effect: {
    stays: 'It says what the queue of this installation has done. Waiting jobs move with the business.',
    ofCell: 'It says what the queue of this cell has done. Waiting jobs move with the business.',
  },
  mail_outbox: {
    ...deleted('mail_that_was_not_sent', {
      rows: ({ emails, phones }) =>
        sql`(lower(t.recipient) = ANY(${emails}::text[]) OR t.recipient = ANY(${phones}::text[]))`,
      internal: true,
    }),
    stays: 'Mail that nobody delivers is kept for a week, for the operator of this installation.',
  },
};
