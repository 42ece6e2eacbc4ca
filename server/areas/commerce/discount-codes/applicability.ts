import { boolean, id, instant, object, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import type { ObjectType } from './rules/code.ts';

/** The item types of the interface. */
export const ITEM_TYPES = ['store_product', 'offering_type', 'membership', 'event', 'course'] as const;

/** The object types: the resource of the same name, and the column with its id. */
export const ITEM_COLUMNS: Readonly<Record<ObjectType, string>> = {
  offering_type: 'offering_type_id',
  membership: 'membership_id',
  event: 'event_id',
  store_product: 'store_product_id',
  course: 'course_id',
};

const item = { id: id(), type: oneOf(ITEM_TYPES) };

export const discountCodeApplicability = resource('discount_code_applicability', {
  description: 'States that a discount code can, or can’t, be used for one object.',
  fields: {
    id: id(),
    discount_code: ref('discount_code'),
    allow_use: boolean().describe('False excludes the object, even if the code is usable for it by default.'),
    item: object(item)
      .from(
        (t) => sql`CASE WHEN ${raw(t)}.offering_type_id IS NOT NULL
            THEN jsonb_build_object('id', ${raw(t)}.offering_type_id, 'type', 'offering_type')
          WHEN ${raw(t)}.membership_id IS NOT NULL
            THEN jsonb_build_object('id', ${raw(t)}.membership_id, 'type', 'membership')
          WHEN ${raw(t)}.event_id IS NOT NULL THEN jsonb_build_object('id', ${raw(t)}.event_id, 'type', 'event')
          WHEN ${raw(t)}.course_id IS NOT NULL THEN jsonb_build_object('id', ${raw(t)}.course_id, 'type', 'course')
          ELSE jsonb_build_object('id', ${raw(t)}.store_product_id, 'type', 'store_product') END`,
      )
      .describe(
        'The object. An event or a course goes before its offering type, and a membership stands for its joining fee too.',
      ),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
