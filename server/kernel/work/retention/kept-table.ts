/** Retention of the kernel's tables that have a partition for each month. */
import { leaveFeed } from '../feed/gone.ts';
import type pg from 'pg';

/** A table whose old months are removed. */
export interface KeptTable {
  readonly name: string;
  /** columns that go into the archive, without those that must not outlive the retention period */
  readonly archived: readonly string[];
  /** number of whole months that are kept; null: forever */
  readonly months: number | null;
  /**
   * Called in a transaction before rows with ids from `first` to before `end` are removed, in the role that sees all
   * businesses. Returns why they have to stay, or null; in that case it may record their removal.
   */
  readonly mayGo?: (
    client: pg.ClientBase,
    ids: { readonly first: string; readonly end: string },
  ) => Promise<string | null>;
}

/** Retention periods of the operator; null: forever. */
export interface Retention {
  readonly auditMonths: number | null;
  readonly feedMonths: number | null;
}

/**
 * Returns the tables. Audit entries are archived without the previous values of rows: these concern people, and an
 * erasure could not find them there.
 */
export const keptTables = ({ auditMonths, feedMonths }: Retention): readonly KeptTable[] => [
  {
    name: 'audit_entry',
    archived: [
      'provider_id',
      'id',
      'at',
      'request_id',
      'actor',
      'user_id',
      'application_id',
      'mode',
      'action',
      'object',
      'object_id',
    ],
    months: auditMonths,
  },
  // Ids and names of properties, which say nothing about an erased person.
  {
    name: 'feed_item',
    archived: ['provider_id', 'id', 'seq', 'kind', 'object', 'object_id', 'payload', 'occurred_at'],
    months: feedMonths,
    mayGo: leaveFeed,
  },
];
