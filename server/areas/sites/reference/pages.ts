/** All pages under /docs. */
import { readFileSync } from 'node:fs';
import { changesPage, readChanges } from './changes.ts';
import {
  DOCS,
  ERRORS,
  FEED_ITEMS,
  feedPage,
  OPERATIONS,
  operationPlaces,
  PERMISSIONS,
  permissionsOfTopic,
  topicPage,
} from './addresses.ts';
import { Examples } from './examples.ts';
import { errorsPage } from './errors.ts';
import { frame, SEARCH } from './frame.ts';
import { Search, searchPage } from './search.ts';
import { feedItemsPage, feedPageOf, feedTopics } from './feed.ts';
import { Library, type Article } from './library.ts';
import { renderMarkdown } from './markdown.ts';
import { navigation } from './nav.ts';
import { permissionsPage, permissionsPageOf, topicsWithOperations } from './permissions-page.ts';
import { operationsPage, startPage, topicPageOf } from './reference.ts';
import type { Html } from '../../../kernel/base/markup/html.ts';
import type { Registry } from '../../../kernel/api/registry.ts';

export interface Pages {
  /** builders of the pages that are the same for everybody: a page is built on first request */
  readonly constant: ReadonlyMap<string, () => string>;
  /** returns the results for these words */
  readonly search: (question: string) => string;
}

/** Returns the script of the pages, without comments and indentation. */
export const script = (): string =>
  readFileSync(new URL('script.js', import.meta.url), 'utf8').replaceAll(/^ *(?:\/\/.*|\/\*\*.*\*\/)\n|^ +/gm, '');

/** Returns all pages. `document` is the OpenAPI document, for the examples. */
export function pagesOf(registry: Registry, document: () => Record<string, any>): Pages {
  const library = new Library();
  const nav = (here: string) => navigation(registry, library, here);
  let examples: Examples | undefined;
  const changes = `${DOCS}/changes`;
  const constant = new Map<string, () => string>([
    [DOCS, () => startPage(registry, library, nav(DOCS))],
    ...registry.topics.map((topic): [string, () => string] => [
      topicPage(topic.name),
      () => topicPageOf(topic, registry, (examples ??= new Examples(document())), nav(topicPage(topic.name))),
    ]),
    ...library.articles.map((article): [string, () => string] => [
      article.address,
      () => articlePage(article, registry, library, nav(article.address)),
    ]),
    [OPERATIONS, () => operationsPage(registry, nav(OPERATIONS))],
    [FEED_ITEMS, () => feedItemsPage(registry, nav(FEED_ITEMS))],
    ...[...feedTopics(registry).keys()].map((topic): [string, () => string] => [
      feedPage(topic),
      () => feedPageOf(topic, registry, nav(feedPage(topic))),
    ]),
    [ERRORS, () => errorsPage(registry, nav(ERRORS))],
    [PERMISSIONS, () => permissionsPage(registry, nav(PERMISSIONS))],
    ...topicsWithOperations(registry).map((topic): [string, () => string] => [
      permissionsOfTopic(topic.name),
      () => permissionsPageOf(topic, registry, nav(permissionsOfTopic(topic.name))),
    ]),
    [changes, () => changesPage(readChanges(), nav(changes), changelog(registry, library))],
  ]);
  let index: Search | undefined;
  return {
    constant,
    search: (question) => searchPage(question, (index ??= new Search(registry, library)), nav(SEARCH)),
  };
}

const articlePage = (article: Article, registry: Registry, library: Library, nav: Html): string =>
  frame(`${article.title}: Rollcall`, nav, rendered(article, registry, library));

/** Returns the user-facing changes of each release, if the file was installed. */
function changelog(registry: Registry, library: Library): Html | undefined {
  const { changelog: article } = library;
  return article.isThere ? rendered(article, registry, library, 1) : undefined;
}

const rendered = (article: Article, registry: Registry, library: Library, below: 0 | 1 = 0): Html =>
  renderMarkdown(article.text, {
    below,
    addressOf: (link) => library.addressOf(link, article),
    titleOf: (link) => library.titleOf(link, article),
    placeOf: operationPlaces(registry),
  });
