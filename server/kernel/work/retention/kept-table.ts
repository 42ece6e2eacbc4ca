/** What the kernel says of its tables that have a partition for each month. */
import { leaveFeed } from '../feed/gone.ts';
import type pg from 'pg';

/** A table of which old months go. */
export interface KeptTable {
  readonly name: string;
  /** columns that go into the archive: what must not outlive its time is not among them */
  readonly archived: readonly string[];
  /** whole months that are kept; null: for ever */
  readonly months: number | null;
  /**
   * Called in a transaction before rows with ids from `first` to before `end` go, in the role that sees all businesses.
   * Returns why they have to stay, or null; then it may note that they go.
   */
  readonly mayGo?: (
    client: pg.ClientBase,
    ids: { readonly first: string; readonly end: string },
  ) => Promise<string | null>;
}

/** How long the operator keeps what happened; null: for ever. */
export interface Retention {
  readonly auditMonths: number | null;
  readonly feedMonths: number | null;
}

/**
 * Entries of the audit go into the archive without what a row was: it is about people, and an erasure could not find it
 * there.
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
  // Ids and names of properties: it says nothing about a person who has been erased.
  {
    name: 'feed_item',
    archived: ['provider_id', 'id', 'seq', 'kind', 'object', 'object_id', 'payload', 'occurred_at'],
    months: feedMonths,
    mayGo: leaveFeed,
  },
];
