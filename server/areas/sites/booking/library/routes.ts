/** Pages of the library, and their forms. */
import {
  acting,
  openPage,
  refusedAt,
  sitePath,
  type Asker,
  type Business,
  type Desk,
  type Refused,
} from '../../frame/index.ts';
import { collectionPage, collectionPath, libraryPage } from './views.ts';
import { collections, favorites, inside, whoOpens } from './read.ts';
import { goOn, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { libraryFor, type LibraryWritten } from './messages.ts';
import { looking } from '../look.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import type { At } from '../site.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

const MAX_TAGS = 20;

const here = ({ site, params }: At): string => collectionPath(site, idIn(params.collection_id));

/** Returns the tags that a page is narrowed by; an empty one is a filter that is left open. */
const tagsIn = ({ query }: At): readonly number[] =>
  query
    .getAll('tag')
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS)
    .map(idIn);

export const libraryRoutes = (desk: Desk): PageRoute<Business>[] => [
  ...openPage(desk, {
    path: '/{slug}/library',
    texts: libraryFor,
    here: ({ site }) => sitePath(site, 'library'),
    show: async ({ visit, written }) => {
      const view = await looking(desk, visit, async (ask, { personal, people }) => ({
        collections: await collections(ask),
        favorites: people ? await favorites(ask, people[0]!.id) : [],
        personal,
      }));
      return libraryPage(visit, written, view);
    },
  }),
  ...openPage<LibraryWritten, Refused | null>(desk, {
    path: '/{slug}/library/{collection_id}',
    texts: libraryFor,
    here,
    show: async ({ visit, written }, problem = null) => {
      const id = idIn(visit.params.collection_id);
      const tags = tagsIn(visit);
      const view = await looking(desk, visit, async (ask, { personal, people }) => ({
        ...(await inside(ask, id, tags)),
        open: people !== null && (await whoOpens(ask, id, people)) !== null,
        personal,
      }));
      return collectionPage(visit, written, { ...view, tags, problem });
    },
    forms: { open: (turn) => open(desk, turn), favorite: (turn) => favorite(desk, turn) },
    refused: refusedAt(desk),
  }),
];

/** Continues at the address of the item, as somebody who has access. @throws Problem the refusal of the interface */
const open = (desk: Desk, turn: Asker): Promise<PageAnswer> =>
  acting(desk, turn, async ({ ask, people }) => {
    const { params, sent } = turn.visit;
    if (!people) throw notFound();
    // Without access, the interface says so.
    const customer = (await whoOpens(ask, idIn(params.collection_id), people)) ?? people[0]!.id;
    const { url } = await ask('POST /content/{id}/generate_access_link', {
      params: { id: idIn(sent.get('content')) },
      body: { customer },
    });
    return goOn(url);
  });

const favorite = (desk: Desk, turn: Asker): Promise<string> =>
  acting(desk, turn, async ({ ask, people }) => {
    const { sent } = turn.visit;
    if (!people) throw notFound();
    const id = idIn(sent.get('content'));
    await ask(
      sent.get('favorite') === 'remove' ? 'POST /content/{id}/remove_favorite' : 'POST /content/{id}/add_favorite',
      {
        params: { id },
        query: { fields: 'id' },
        body: { customer: people[0]!.id },
      },
    );
    return `${here(turn.visit)}#item-${id}`;
  });
