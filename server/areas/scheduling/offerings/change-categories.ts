import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { offeringTypeCategoryFeed } from './feed.ts';
import { createCategory } from './writes.ts';
import { offeringTypeCategory } from './category.ts';
import { imageRef } from '../../platform/images/index.ts';
import { changedNames, updateRow } from '../../../kernel/work/unit/row.ts';

const body = { name: offeringTypeCategory.fields.name, image: imageRef().nullable().optional() };
const who = staffWith('super_admin', 'manage_events');

export const changeCategories = [
  ...changes(offeringTypeCategory, {
    path: '/offering_type_categories',
    noun: 'category',
    who,
    body,
    create: ({ work, body }) => createCategory(work, body),
    update: async ({ work, body, target }) => {
      const { name, image } = body;
      if (await updateRow(work, 'offering_type_category', target.id, { name, image_id: image }))
        work.record(offeringTypeCategoryFeed.updated, target.id, {
          offering_type_category: target.id,
          changed: changedNames(body),
        });
    },
  }),
];
