import { content, contentCollection, contentFile, contentFilter, contentTag } from './content.ts';
import { everyWord } from '../../../kernel/api/reading/text-filters.ts';
import { EVERYONE, filter, listAndGet, staffWith } from '../../../kernel/api/endpoint.ts';
import { id, listOf } from '../../../kernel/base/fields/kinds.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { viewedByStaff } from '../../../kernel/work/access/viewer.ts';

const activeCustomer = () =>
  id().optional().describe('The customer for whom properties about one customer are computed. Default: yourself.');
const ids = () => listOf(id(), { max: 200 }).describe('Comma-separated list of ids.');

const position = { by: (t: string) => raw(`${t}.position`) };
const inOrder = { sort: { order: position, id: { by: (t: string) => raw(`${t}.id`) } }, defaultSort: 'order' };

export const findContent = [
  ...listAndGet(content, {
    path: '/content',
    summary: 'List content',
    description: 'Customers and visitors see what is published. Only a link to it needs access to its collection.',
    get: { summary: 'Get content', query: { active_customer: activeCustomer() } },
    who: EVERYONE,
    filters: {
      active_customer: { field: activeCustomer() },
      collection: filter(id(), (t, collection) => sql`${raw(t)}.content_collection_id = ${collection}`),
      favorited_by: filter(
        id().describe('Favorites of this customer.'),
        (t, customer) => sql`EXISTS (SELECT FROM content_favorite f WHERE f.provider_id = ${raw(t)}.provider_id
          AND f.content_id = ${raw(t)}.id AND f.customer_id = ${customer}
          AND (${viewedByStaff}::boolean OR ${ofMyFamily('f.customer_id')}))`,
      ),
      instructor: filter(
        ids(),
        (t, instructors) => sql`EXISTS (SELECT FROM content_instructor i WHERE i.provider_id = ${raw(t)}.provider_id
          AND i.content_id = ${raw(t)}.id AND i.instructor_id = ANY(${instructors}::bigint[]))`,
      ),
      query: everyWord(
        'query',
        (t) => raw(`${t}.name || ' ' || ${t}.description`),
        'Words that its name or description contains.',
      ),
      tags: filter(
        ids().describe('Only content with at least one of these tags of each filter that they belong to.'),
        (t, tags) => sql`NOT EXISTS (SELECT FROM content_tag wanted
          WHERE wanted.provider_id = ${raw(t)}.provider_id AND wanted.id = ANY(${tags}::bigint[])
            AND NOT EXISTS (SELECT FROM content_content_tag l
              JOIN content_tag own ON own.provider_id = l.provider_id AND own.id = l.content_tag_id
              WHERE l.provider_id = wanted.provider_id AND l.content_id = ${raw(t)}.id
                AND own.id = ANY(${tags}::bigint[]) AND own.content_filter_id = wanted.content_filter_id))`,
      ),
    },
    ...inOrder,
  }),
  ...listAndGet(contentCollection, {
    path: '/content_collections',
    summary: 'List content collections',
    get: { summary: 'Get a content collection', query: { active_customer: activeCustomer() } },
    who: EVERYONE,
    filters: {
      active_customer: { field: activeCustomer() },
      membership: filter(
        id().describe('Only restricted collections that this membership opens.'),
        (t, membership) => sql`${raw(t)}.access = 'restricted' AND EXISTS (SELECT FROM content_collection_membership l
          WHERE l.provider_id = ${raw(t)}.provider_id AND l.content_collection_id = ${raw(t)}.id
            AND l.membership_id = ${membership})`,
      ),
    },
    ...inOrder,
  }),
  ...listAndGet(contentFilter, {
    path: '/content_filters',
    summary: 'List content filters',
    get: 'Get a content filter',
    who: EVERYONE,
    filters: {
      collection: filter(
        id().describe('Only filters with a tag that content of this collection has.'),
        (t, collection) => sql`EXISTS (SELECT FROM content_tag g
          JOIN content_content_tag l ON l.provider_id = g.provider_id AND l.content_tag_id = g.id
          JOIN content n ON n.provider_id = l.provider_id AND n.id = l.content_id
          WHERE g.provider_id = ${raw(t)}.provider_id AND g.content_filter_id = ${raw(t)}.id
            AND n.content_collection_id = ${collection} AND n.published)`,
      ),
    },
    ...inOrder,
  }),
  ...listAndGet(contentTag, {
    path: '/content_tags',
    summary: 'List content tags',
    get: 'Get a content tag',
    who: EVERYONE,
    filters: { filter: filter(id(), (t, of) => sql`${raw(t)}.content_filter_id = ${of}`) },
    ...inOrder,
  }),
  ...listAndGet(contentFile, {
    path: '/content_files',
    summary: 'List files of the library',
    get: 'Get a file of the library',
    who: staffWith('super_admin'),
    sort: { created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-created_at',
  }),
];
