/** Every page under /docs that is the same for everybody, by its address. */
import { changesPage, readChanges } from './changes.ts';
import { DOCS, ERRORS, FEED_ITEMS, topicPage } from './reference-addresses.ts';
import { Examples } from './reference-examples.ts';
import { errorsPage } from './reference-errors.ts';
import { feedItemsPage } from './reference-feed.ts';
import { navigation } from './reference-nav.ts';
import { permissionsPage } from './permissions-page.ts';
import { startPage, topicPageOf } from './reference.ts';
import type { Registry } from './registry.ts';

/**
 * What makes each page: nothing is made before somebody asks for it. `document` is the OpenAPI document, for the
 * examples.
 */
export function pagesOf(registry: Registry, document: () => Record<string, any>): Map<string, () => string> {
  let examples: Examples | undefined;
  return new Map<string, () => string>([
    [DOCS, () => startPage(registry)],
    ...registry.topics.map((topic): [string, () => string] => [
      topicPage(topic.name),
      () => topicPageOf(topic, registry, (examples ??= new Examples(document()))),
    ]),
    [FEED_ITEMS, () => feedItemsPage(registry)],
    [ERRORS, () => errorsPage(registry)],
    [`${DOCS}/permissions`, () => permissionsPage(registry)],
    [`${DOCS}/changes`, () => changesPage(readChanges(), navigation(registry, `${DOCS}/changes`))],
  ]);
}
