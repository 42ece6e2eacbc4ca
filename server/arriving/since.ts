/**
 * Changes of the schema since 0.1.0 that affect rows of a business, by the name of the migration. They let a business
 * arrive in an archive of an earlier release. Adding a table or column needs no entry here: new columns get their
 * defaults.
 */
import type { Since } from '../kernel/base/archive/since.ts';

export const SINCE: Since = {};
