/** Links to content, for customers who have access, and their favorites. */
import { action, answer, one, type Who } from '../../../kernel/api/endpoint.ts';
import { boolean, map, ref, uri } from '../../../kernel/base/fields/kinds.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { content } from './content.ts';
import { CONTENT_PROBLEMS, notIncluded } from './problems.ts';
import { contentUseFeed } from './feed.ts';
import { embeddingFor } from './rules/embedding.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { linkTo } from './links.ts';
import { opensFor } from './access.ts';
import { takeId } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who: Who = { provider: true, customer: true, unregistered: false };
const customer = () =>
  ref('customer').optional().describe('Staff name the customer. Customers can name a child that they manage.');

/** Returns the customer for whom the caller acts, after the check that they may. */
async function actingFor(work: Work, sent: number | undefined): Promise<number | null> {
  const id = sent ?? work.viewer.customerId;
  if (id !== null) await checkActsFor(work, id);
  return id;
}

async function checkAccess({ tx, providerId, now }: Work, collection: number, of: number): Promise<void> {
  const row = await tx.one<{ name: string; opens: boolean }>(sql`
    SELECT c.name, ${opensFor('c', sql`${of}::bigint`, sql`${instant(now)}::timestamptz`)} AS opens
    FROM content_collection c WHERE c.provider_id = ${providerId} AND c.id = ${collection}`);
  if (!row!.opens) throw notIncluded(row!.name);
}

/** Writes the audit entry: the row is another one than the content's. */
const note = (work: Work, action: string, id: number, after: Readonly<Record<string, unknown>>): void =>
  work.audit({ action: `POST /content/{id}/${action}`, object: 'content', objectId: id, before: null, after });

/** Records that a customer opened content, for reports and the feed. Doesn't check their access. */
export async function recordView(work: Work, content: number, customer: number): Promise<void> {
  const id = await takeId(work, 'content_view');
  await work.tx.run(sql`INSERT INTO content_view (provider_id, id, content_id, customer_id, viewed_at)
    VALUES (${work.providerId}, ${id}, ${content}, ${customer}, ${instant(work.now)})`);
  work.record(contentUseFeed.viewed, content, { content, customer });
}

const generateLink = action({
  path: '/content/{id}/generate_access_link',
  summary: 'Create a link to content',
  description:
    'Returns the page or stream that the content links to, or a signed address of its file, which expires after four hours. The call counts as one view of the customer. Staff who name no customer look at it themselves: nothing is counted.',
  who,
  target: content,
  unlocked: true,
  body: { customer: customer() },
  returns: answer({
    url: uri(),
    is_external: boolean().describe('Whether the address is of another service. Then it doesn’t expire.'),
    oembed: map().nullable().describe('How a video of YouTube or Vimeo is embedded, in the form of oEmbed.'),
  }),
  problems: [CONTENT_PROBLEMS.content_not_included],
  run: async ({ work, body, target, pagesUrl }) => {
    const viewer = await actingFor(work, body.customer);
    if (viewer !== null) {
      await checkAccess(work, target.content_collection_id, viewer);
      await recordView(work, target.id, viewer);
      note(work, 'generate_access_link', target.id, { customer: viewer, is_viewed: true });
      work.effect('content_viewed', 'content', target.id, { customer: viewer });
    }
    if (target.url !== null) return { url: target.url, is_external: true, oembed: embeddingFor(target.url) };
    return { url: await linkTo(work, pagesUrl, target.content_file_id), is_external: false, oembed: null };
  },
});

const favorite = (what: 'add' | 'remove') =>
  action({
    path: `/content/{id}/${what}_favorite`,
    summary: what === 'add' ? 'Add content to favorites' : 'Remove content from favorites',
    who,
    target: content,
    unlocked: true,
    body: { customer: customer() },
    returns: one(content),
    run: async ({ work, body, target }) => {
      const of = await actingFor(work, body.customer);
      if (of === null) throw invalid('customer', 'Send the customer whose favorite it is.');
      const changed = await work.tx.rows(
        what === 'add'
          ? sql`INSERT INTO content_favorite (provider_id, customer_id, content_id, created_at)
              VALUES (${work.providerId}, ${of}, ${target.id}, ${instant(work.now)})
              ON CONFLICT (provider_id, customer_id, content_id) DO NOTHING RETURNING content_id`
          : sql`DELETE FROM content_favorite WHERE provider_id = ${work.providerId} AND customer_id = ${of}
              AND content_id = ${target.id} RETURNING content_id`,
      );
      if (changed.length > 0) {
        const kind = what === 'add' ? contentUseFeed.favorited : contentUseFeed.unfavorited;
        note(work, `${what}_favorite`, target.id, { customer: of, is_favorite: what === 'add' });
        work.record(kind, target.id, { content: target.id, customer: of });
      }
      return target.id;
    },
  });

export const openContent = [generateLink, favorite('add'), favorite('remove')];
