import {
  ACCESS,
  content,
  contentCollection,
  contentFilter,
  contentTag,
  CONTENT_TYPES,
  courseLink,
  instructorLink,
  membershipLink,
  productLink,
  tagLink,
} from './content.ts';
import { boolean, integer, oneOf, ref, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, deleteRow, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { contentCollectionFeed, contentFeed, contentFilterFeed, contentTagFeed } from './feed.ts';
import { imageRef } from '../../platform/images/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin');
const MAX_LINKS = 200;

const order = () => integer({ min: -32_768, max: 32_767 });

interface LinkTable {
  readonly table: string;
  readonly parent: string;
  readonly child: string;
}

/** Replaces the lists that were sent, and leaves the others as they are. */
async function link(work: Work, id: number, lists: readonly (readonly [LinkTable, readonly number[] | undefined])[]) {
  for (const [{ table, parent, child }, ids] of lists)
    if (ids) await replaceLinks(work, table, { column: parent, id }, { column: child, ids });
}

interface Opens {
  readonly memberships?: readonly number[];
  readonly courses?: readonly number[];
  readonly products?: readonly number[];
}

/** Refuses lists that have no effect, because the collection is open to all customers. */
function checkAccess(access: string, opens: Opens): void {
  for (const [name, ids] of Object.entries(opens) as [string, readonly number[] | undefined][])
    if (access === 'all_customers' && ids && ids.length > 0)
      throw invalid(name, 'Set `access` to `restricted`, or leave the list empty: all customers have access.');
}

const linkOpens = (work: Work, id: number, { memberships, courses, products }: Opens) =>
  link(work, id, [
    [membershipLink, memberships],
    [courseLink, courses],
    [productLink, products],
  ]);

const collectionBody = {
  name: contentCollection.fields.name,
  description: text({ max: 160, blank: true }).optional(),
  order: order().nullable().optional(),
  thumbnail: imageRef().nullable().optional(),
  access: oneOf(ACCESS).optional(),
  memberships: refs('membership', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  courses: refs('course', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  products: refs('store_product', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  published: boolean().optional(),
};

/** Creates a collection, and returns its id. @throws Problem `invalid` if it is open to all and names what opens it */
export async function createContentCollection(
  work: Work,
  { order, thumbnail, memberships, courses, products, ...sent }: ValueOf<typeof collectionBody>,
): Promise<number> {
  const opens = { memberships, courses, products };
  checkAccess(sent.access ?? 'all_customers', opens);
  const id = await insertRow(work, 'content_collection', { ...sent, position: order, image_id: thumbnail });
  await linkOpens(work, id, opens);
  work.record(contentCollectionFeed.created, id, { content_collection: id });
  return id;
}

const collectionChanges = changes(contentCollection, {
  path: '/content_collections',
  noun: 'content collection',
  who,
  body: collectionBody,
  problems: ['in_use'],
  create: ({ work, body }) => createContentCollection(work, body),
  update: async ({ work, body: { order, thumbnail, memberships, courses, products, ...sent }, target }) => {
    const opens = { memberships, courses, products };
    checkAccess(sent.access ?? target.access, opens);
    await updateRow(work, 'content_collection', target.id, { ...sent, position: order, image_id: thumbnail });
    // Lists without effect would open it to the wrong people when it is restricted again.
    const open = sent.access === 'all_customers' && { memberships: [], courses: [], products: [] };
    await linkOpens(work, target.id, { ...opens, ...open });
    const changed = changedNames({ ...sent, ...opens, order, thumbnail });
    if (changed.length > 0)
      work.record(contentCollectionFeed.updated, target.id, { content_collection: target.id, changed });
  },
  remove: {
    description: 'A collection with content can’t be deleted: unpublish it, or move its content to another one.',
    run: async ({ work, target }) => {
      if (await hasContent(work, target.id))
        throw new Problem(
          'in_use',
          'The collection has content. Move it to another collection, or unpublish this one.',
        );
      await deleteRow(work, 'content_collection', target.id);
      work.record(contentCollectionFeed.deleted, target.id, { content_collection: target.id });
    },
  },
});

const hasContent = async ({ tx, providerId }: Work, collection: number): Promise<boolean> =>
  (await tx.one(
    sql`SELECT FROM content WHERE provider_id = ${providerId} AND content_collection_id = ${collection} LIMIT 1`,
  )) !== undefined;

const wasOpened = async ({ tx, providerId }: Work, id: number): Promise<boolean> =>
  (await tx.one(sql`SELECT FROM content_view WHERE provider_id = ${providerId} AND content_id = ${id} LIMIT 1`)) !==
  undefined;

const contentBody = {
  name: content.fields.name,
  description: text({ max: 10_000, blank: true }).optional(),
  type: oneOf(CONTENT_TYPES).optional(),
  duration_minutes: integer({ min: 1, max: 10_000 }).nullable().optional(),
  collection: ref('content_collection'),
  thumbnail: imageRef().nullable().optional(),
  instructors: refs('instructor', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  tags: refs('content_tag', { max: MAX_LINKS }).optional().describe('Replaces the whole list.'),
  url: content.fields.url.optional().describe('The page or stream that it links to. Send it, or `file`.'),
  file: ref('content_file').nullable().optional().describe('A file of `POST /content_files`. Send it, or `url`.'),
  order: order().nullable().optional(),
  published: boolean().optional(),
};

/** Creates content, and returns its id. @throws Problem `invalid` unless it has either an address or a file */
export async function createContent(
  work: Work,
  { collection, thumbnail, instructors, tags, file, order, ...sent }: ValueOf<typeof contentBody>,
): Promise<number> {
  checkSource({ url: sent.url ?? null, file: file ?? null });
  const id = await insertRow(work, 'content', {
    ...sent,
    content_collection_id: collection,
    content_file_id: file,
    image_id: thumbnail,
    position: order,
  });
  await link(work, id, [
    [instructorLink, instructors],
    [tagLink, tags],
  ]);
  work.record(contentFeed.created, id, { content: id });
  return id;
}

const contentChanges = changes(content, {
  path: '/content',
  noun: 'content',
  who,
  body: contentBody,
  problems: ['in_use'],
  create: ({ work, body }) => createContent(work, body),
  update: {
    description: 'Send the other of `url` and `file` to replace its source; the earlier one is removed.',
    run: async ({ work, body: { collection, thumbnail, instructors, tags, file, order, ...sent }, target }) => {
      const source = nextSource({ url: target.url, file: target.content_file_id }, { url: sent.url, file });
      checkSource(source, file === null ? 'file' : 'url');
      await updateRow(work, 'content', target.id, {
        ...sent,
        url: source.url,
        content_file_id: source.file,
        content_collection_id: collection,
        image_id: thumbnail,
        position: order,
      });
      await link(work, target.id, [
        [instructorLink, instructors],
        [tagLink, tags],
      ]);
      const changed = changedNames({ ...sent, collection, thumbnail, instructors, tags, file, order });
      if (changed.length > 0) work.record(contentFeed.updated, target.id, { content: target.id, changed });
    },
  },
  remove: {
    description: 'Content that customers have opened can’t be deleted, because reports count it: unpublish it.',
    run: async ({ work, target }) => {
      if (await wasOpened(work, target.id))
        throw new Problem('in_use', 'Customers have opened it. Unpublish it instead: reports still count it.');
      await deleteRow(work, 'content', target.id);
      work.record(contentFeed.deleted, target.id, { content: target.id });
    },
  },
});

interface Source {
  readonly url: string | null;
  readonly file: number | null;
}

/** A new link replaces the file, and a new file the link. */
function nextSource(before: Source, sent: Partial<Source>): Source {
  const { url = sent.file ? null : before.url, file = sent.url ? null : before.file } = sent;
  return { url, file };
}

/** Names the property that was emptied, or else `url`. */
function checkSource({ url, file }: Source, emptied: 'url' | 'file' = 'url'): void {
  if (url !== null && file !== null) throw invalid('file', 'Send either `url` or `file`, not both.');
  if (url === null && file === null)
    throw invalid(emptied, 'Send the address in `url`, or the id of a file in `file`.');
}

const filterBody = { name: contentFilter.fields.name, order: order().optional() };

/** Creates a filter without tags, and returns its id. */
export async function createContentFilter(work: Work, { name, order }: ValueOf<typeof filterBody>): Promise<number> {
  const id = await insertRow(work, 'content_filter', { name, position: order });
  work.record(contentFilterFeed.created, id, { content_filter: id });
  return id;
}

const filterChanges = changes(contentFilter, {
  path: '/content_filters',
  noun: 'content filter',
  who,
  body: filterBody,
  create: ({ work, body }) => createContentFilter(work, body),
  update: async ({ work, body: { name, order }, target }) => {
    await updateRow(work, 'content_filter', target.id, { name, position: order });
    const changed = changedNames({ name, order });
    if (changed.length > 0) work.record(contentFilterFeed.updated, target.id, { content_filter: target.id, changed });
  },
  remove: {
    description: 'Its tags are deleted too, and content loses them.',
    run: async ({ work, target }) => {
      await deleteRow(work, 'content_filter', target.id);
      work.record(contentFilterFeed.deleted, target.id, { content_filter: target.id });
    },
  },
});

const tagBody = { filter: ref('content_filter'), name: contentTag.fields.name, order: order().optional() };

/** Creates a tag of a filter, and returns its id. */
export async function createContentTag(work: Work, { filter, name, order }: ValueOf<typeof tagBody>): Promise<number> {
  const id = await insertRow(work, 'content_tag', { content_filter_id: filter, name, position: order });
  work.record(contentTagFeed.created, id, { content_tag: id, content_filter: filter });
  return id;
}

const tagChanges = changes(contentTag, {
  path: '/content_tags',
  noun: 'content tag',
  who,
  body: tagBody,
  create: ({ work, body }) => createContentTag(work, body),
  update: async ({ work, body: { filter, name, order }, target }) => {
    await updateRow(work, 'content_tag', target.id, { content_filter_id: filter, name, position: order });
    const changed = changedNames({ filter, name, order });
    if (changed.length > 0)
      work.record(contentTagFeed.updated, target.id, {
        content_tag: target.id,
        content_filter: filter ?? target.content_filter_id,
        changed,
      });
  },
  remove: {
    description: 'Content loses it.',
    run: async ({ work, target }) => {
      await deleteRow(work, 'content_tag', target.id);
      work.record(contentTagFeed.deleted, target.id, {
        content_tag: target.id,
        content_filter: target.content_filter_id,
      });
    },
  },
});

export const changeContent = [...contentChanges, ...collectionChanges, ...filterChanges, ...tagChanges];
