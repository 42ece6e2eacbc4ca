/** Every page under /docs that is the same for everybody, by its address. */
import { changesPage, readChanges } from './changes.ts';
import { DOCS, ERRORS, FEED_ITEMS, topicPage } from './reference-addresses.ts';
import { errorsPage } from './reference-errors.ts';
import { feedItemsPage } from './reference-feed.ts';
import { navigation } from './reference-nav.ts';
import { permissionsPage } from './permissions-page.ts';
import { startPage, topicPageOf } from './reference.ts';
import type { Registry } from './registry.ts';

/** What makes each page: nothing is made before somebody asks for it. */
export function pagesOf(registry: Registry): Map<string, () => string> {
  return new Map<string, () => string>([
    [DOCS, () => startPage(registry)],
    ...registry.topics.map((topic): [string, () => string] => [
      topicPage(topic.name),
      () => topicPageOf(topic, registry),
    ]),
    [FEED_ITEMS, () => feedItemsPage(registry)],
    [ERRORS, () => errorsPage(registry)],
    [`${DOCS}/permissions`, () => permissionsPage(registry)],
    [`${DOCS}/changes`, () => changesPage(readChanges(), navigation(registry, `${DOCS}/changes`))],
  ]);
}
