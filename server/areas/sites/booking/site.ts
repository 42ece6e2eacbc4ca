/** The booking site of a business: its owner and its texts. */
import {
  businessBySlug,
  unlessForeign,
  writtenWith,
  type Business,
  type Written as WrittenWith,
} from '../frame/index.ts';
import { CATALOG, type Key } from './messages.ts';
import { isSlug } from '../../platform/providers/index.ts';
import type { Database } from '../../../kernel/base/db/database.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

export type At = Visit<Business>;

/** Finds a business by the slug in a path. */
export const bySlug =
  (db: Database, publicUrl: string | undefined) =>
  async ({ slug = '' }: Readonly<Record<string, string>>, host?: string): Promise<Business | null> =>
    isSlug(slug) ? unlessForeign(db, await businessBySlug(db, slug), host, publicUrl) : null;

export type Written = WrittenWith<Key>;

export const writtenFor = (visit: At): Written => writtenWith(visit, CATALOG);
