/** The kinds of feed items: a list of all, and a page for each topic. */
import { FEED_ITEMS, feedAnchor, feedPage, resourceAddresses, resourceTopics, titleOf } from './addresses.ts';
import { frame, heading } from './frame.ts';
import { html, prose, type Html } from '../../../kernel/base/markup/html.ts';
import { placeIn, places } from './places.ts';
import { typeInWords } from './fields.ts';
import type { Registry } from '../../../kernel/api/registry.ts';

type Kind = Registry['feed'] extends ReadonlyMap<string, infer K> ? K : never;

/** Returns the topics whose resources have feed items, in order, each with the kinds by their object. */
export function feedTopics(registry: Registry): ReadonlyMap<string, ReadonlyMap<string, readonly Kind[]>> {
  const topicOf = resourceTopics(registry);
  const byTopic = Map.groupBy(registry.feed.values(), ({ object }) => topicOf(object));
  return new Map(
    registry.topics.flatMap(({ name }) => {
      const kinds = byTopic.get(name);
      return kinds ? [[name, Map.groupBy(kinds, ({ object }) => object)] as const] : [];
    }),
  );
}

/** Returns a function that finds the description of a kind of feed item. */
export function feedAddresses(registry: Registry): (kind: Kind) => string {
  const topicOf = resourceTopics(registry);
  return ({ kind, object }) => `${feedPage(topicOf(object))}#${feedAnchor(kind)}`;
}

/**
 * Returns the page of all feed items. Its ids are the anchors that the kinds had when all of them were on this page.
 */
export function feedItemsPage(registry: Registry, nav: Html): string {
  const addressOf = feedAddresses(registry);
  const main = html`<h1 id="feed-items">Feed items</h1>
<p>What happens in a business, in its order. These are the values of <code>feed_item_types</code>, by what they happen
to.</p>
${[...feedTopics(registry)].map(
  ([topic, byObject]) => html`<section aria-labelledby="${topic}">${heading(2, topic, titleOf(topic), titleOf(topic))}
${[...byObject].map(([object, kinds]) =>
  places([
    placeIn(`of-${object}`, `${feedPage(topic)}#of-${object}`, html`<strong>${object}</strong>`),
    ...kinds.map((kind) => placeIn(feedAnchor(kind.kind), addressOf(kind), html`<code>${kind.kind}</code>`)),
  ]),
)}</section>
`,
)}`;
  return frame('Feed items: Rollcall API', nav, main);
}

export function feedPageOf(topic: string, registry: Registry, nav: Html): string {
  const addressOf = resourceAddresses(registry);
  const byObject = feedTopics(registry).get(topic)!;
  const title = `Feed items: ${titleOf(topic)}`;
  const main = html`<h1>${title}</h1>
<p>See also <a href="${FEED_ITEMS}">all kinds of feed items</a>.</p>
${[...byObject].map(([object, kinds]) => objectSection(object, addressOf(object), kinds))}`;
  return frame(`${title}: Rollcall API`, nav, main);
}

const objectSection = (object: string, address: string, kinds: readonly Kind[]): Html =>
  html`<section aria-labelledby="of-${object}">
${heading(2, `of-${object}`, html`Of a <code>${object}</code>`, `feed items of ${object}`)}
<p>They happen to a <a href="${address}"><code>${object}</code></a>.</p>
${kinds.map(
  (
    kind,
  ) => html`${heading(3, feedAnchor(kind.kind), html`<code>${kind.kind}</code>`, kind.kind)}${prose(kind.description)}
<p>Carries ${Object.entries(kind.payload).map(
    ([name, field], i) => html`${i > 0 && ', '}<code>${name}</code> <span class="soft">(${typeInWords(field)})</span>`,
  )}.</p>
`,
)}</section>`;
