import { businessInPath } from '../../../kernel/api/cell-declarations.ts';
import { changeContent } from './change-content.ts';
import { content, contentCollection, contentFile, contentFilter, contentTag } from './content.ts';
import { CONTENT_PROBLEMS } from './problems.ts';
import { FEED } from './feed.ts';
import { findContent } from './find-content.ts';
import { imageUses, usedIn } from '../../platform/images/index.ts';
import { openContent } from './open-content.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import { sweepContentFiles } from './sweep.ts';
import { TABLES } from './tables.ts';
import { uploadFile } from './upload-file.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { createContent, createContentCollection, createContentFilter, createContentTag } from './change-content.ts';
export { contentDoors } from './door.ts';
export { recordView } from './open-content.ts';

export const library: Area = {
  name: 'library',
  description: 'Videos, recordings and documents for customers who have access to them.',
  namesInPath: [businessInPath(/^\/files\/(\d{1,15})\//)],
  tables: TABLES,
  translations: readTranslations('library/refusals'),
  resources: [content, contentCollection, contentFilter, contentTag, contentFile],
  endpoints: [...findContent, ...changeContent, ...openContent, uploadFile],
  problems: CONTENT_PROBLEMS,
  feed: FEED,
  fills: [
    imageUses.with(
      usedIn('content', 'content', 'The picture of content.'),
      usedIn('content_collection', 'content_collection', 'The picture of a content collection.'),
    ),
  ],
  sweep: sweepContentFiles,
};
