/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import type { Tables } from '../../../kernel/base/db/table.ts';
import { folderOf } from './addresses.ts';

export const TABLES: Tables = {
  image: { folder: (row) => folderOf({ provider: row.provider_id, key: row.key }) },
};
