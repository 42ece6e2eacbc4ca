/** Content, the collections that it is in, and the tags that narrow it. */
import {
  boolean,
  embedded,
  embeddedOne,
  id,
  instant,
  integer,
  oneOf,
  ref,
  text,
  uri,
} from '../../../kernel/base/fields/kinds.ts';
import { opensForShown, shownCustomer } from './access.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { shownImage } from '../../platform/images/index.ts';

export const CONTENT_TYPES = ['video', 'audio', 'document'] as const;
export const ACCESS = ['all_customers', 'restricted'] as const;
export const MEDIA_TYPES = ['application/pdf', 'video/mp4', 'audio/mpeg'] as const;

export const membershipLink = {
  table: 'content_collection_membership',
  parent: 'content_collection_id',
  child: 'membership_id',
};
export const courseLink = { table: 'content_collection_course', parent: 'content_collection_id', child: 'course_id' };
export const productLink = {
  table: 'content_collection_product',
  parent: 'content_collection_id',
  child: 'store_product_id',
};
export const instructorLink = { table: 'content_instructor', parent: 'content_id', child: 'instructor_id' };
export const tagLink = { table: 'content_content_tag', parent: 'content_id', child: 'content_tag_id' };

const published = (t: string): Sql => raw(`${t}.published`);
const inPublished = (t: string): Sql => sql`${raw(t)}.published AND EXISTS (SELECT FROM content_collection c
  WHERE c.provider_id = ${raw(t)}.provider_id AND c.id = ${raw(t)}.content_collection_id AND c.published)`;

const order = () =>
  integer()
    .nullable()
    .from((t) => raw(`${t}.position`))
    .describe('Lower ones come first, and those without one last.');

export const contentCollection = resource('content_collection', {
  description: 'Videos, recordings and documents that customers get access to together.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    description: text({ max: 160, blank: true }),
    order: order(),
    thumbnail: shownImage().nullable(),
    content_count: integer({ min: 0 })
      .from((t) =>
        raw(`(SELECT count(*) FROM content n WHERE n.provider_id = ${t}.provider_id
        AND n.content_collection_id = ${t}.id AND n.published)`),
      )
      .describe('How many published items it has.'),
    access: oneOf(ACCESS).describe(
      '`restricted`: for customers who have one of `memberships`, take part in one of `courses`, or bought one of `products`.',
    ),
    memberships: embedded('membership', membershipLink).deferred(),
    courses: embedded('course', courseLink).deferred(),
    products: embedded('store_product', productLink).deferred(),
    active_customer_has_access: boolean()
      .from((t) => opensForShown(t))
      .deferred()
      .describe('Whether the customer, or the one whom `active_customer` names, may open its content.'),
    content_thumbnail: embeddedOne('image', (t) =>
      raw(`(SELECT n.image_id FROM content n WHERE n.provider_id = ${t}.provider_id AND n.content_collection_id = ${t}.id
        AND n.published AND n.image_id IS NOT NULL ORDER BY n.position, n.id LIMIT 1)`),
    )
      .nullable()
      .deferred()
      .describe('The picture of the first item that has one.'),
    published: boolean().describe('Whether customers and visitors see it.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: published, unregistered: published },
});

export const contentFilter = resource('content_filter', {
  description: 'A way to narrow the library, for example by level. Its tags are the choices.',
  object: null,
  fields: {
    id: id(),
    name: text({ max: 32 }),
    order: integer().from((t) => raw(`${t}.position`)),
    tags: embedded('content_tag', { column: 'content_filter_id' }).deferred(),
  },
  visible: { provider: true, customer: true, unregistered: true },
});

export const contentTag = resource('content_tag', {
  description: 'A choice of a content filter, for example “Beginner”.',
  object: null,
  fields: {
    id: id(),
    name: text({ max: 32 }),
    order: integer().from((t) => raw(`${t}.position`)),
    filter: ref('content_filter', 'content_filter_id'),
  },
  visible: { provider: true, customer: true, unregistered: true },
});

export const contentFile = resource('content_file', {
  description: 'A file for the library. Customers get it at signed addresses that expire.',
  fields: {
    id: id(),
    name: text({ max: 200 }),
    media_type: oneOf(MEDIA_TYPES),
    size: integer({ min: 1 }).describe('In bytes.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});

export const content = resource('content', {
  description: 'A video, a recording or a document of the library.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    description: text({ max: 10_000, blank: true }),
    type: oneOf(CONTENT_TYPES),
    duration_minutes: integer({ min: 1, max: 10_000 }).nullable(),
    collection: ref('content_collection', 'content_collection_id'),
    thumbnail: shownImage().nullable(),
    instructors: embedded('instructor', instructorLink).deferred(),
    tags: embedded('content_tag', tagLink).deferred(),
    is_favorited_by_active_customer: boolean()
      .from(
        (t) => sql`EXISTS (SELECT FROM content_favorite f WHERE f.provider_id = ${raw(t)}.provider_id
          AND f.content_id = ${raw(t)}.id AND f.customer_id = ${shownCustomer})`,
      )
      .deferred()
      .describe('Whether it is a favorite of the customer, or of the one whom `active_customer` names.'),
    url: uri().nullable().describe('The page or stream that it links to. Null if it is a file.'),
    file: ref('content_file', 'content_file_id').nullable().describe('Its file. Null if it is a link.'),
    order: order(),
    published: boolean().describe('Whether customers and visitors see it, if its collection is published.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: inPublished, unregistered: inPublished },
  shown: { url: { customer: false, unregistered: false }, file: { customer: false, unregistered: false } },
});
