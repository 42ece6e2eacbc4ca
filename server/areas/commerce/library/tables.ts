/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { folderOf } from './links.ts';

export const TABLES: Tables = {
  ...ofBusiness(
    'content',
    'content_collection',
    'content_collection_course',
    'content_collection_membership',
    'content_collection_product',
    'content_content_tag',
    'content_filter',
    'content_instructor',
    'content_tag',
  ),
  content_favorite: deleted('favorite_content'),
  content_file: { folder: (row) => folderOf({ provider: row.provider_id, key: row.key }) },
  content_view: deleted('opened_content'),
};
