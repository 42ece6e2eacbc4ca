/** Every kind of feed item on one page. */
import { feedAnchor, resourceAddresses } from './reference-addresses.ts';
import { frame, heading } from './reference-frame.ts';
import { html, prose, type Html } from './html.ts';
import { typeInWords } from './reference-fields.ts';
import type { Registry } from './registry.ts';

export function feedItemsPage(registry: Registry, nav: Html): string {
  const addressOf = resourceAddresses(registry);
  const byObject = Map.groupBy(registry.feed.values(), ({ object }) => object);
  const section = (object: string, kinds: Iterable<Kind>): Html =>
    html`<section aria-labelledby="of-${object}">
${heading(2, `of-${object}`, html`Of a <code>${object}</code>`, `feed items of ${object}`)}
<p>They happen to a <a href="${addressOf(object)}"><code>${object}</code></a>.</p>
${[...kinds].map(
  (
    kind,
  ) => html`${heading(3, feedAnchor(kind.kind), html`<code>${kind.kind}</code>`, kind.kind)}${prose(kind.description)}
<p>Carries ${Object.entries(kind.payload).map(([name, field], i) => html`${i > 0 && ', '}<code>${name}</code> <span class="soft">(${typeInWords(field)})</span>`)}.</p>
`,
)}</section>`;
  const main = html`<h1 id="feed-items">Feed items</h1>
<p>What happens in a business, in its order. These are the values of <code>feed_item_types</code>.</p>
${[...byObject].map(([object, kinds]) => section(object, kinds))}`;
  return frame('Feed items: Rollcall API', nav, main);
}

type Kind = Registry['feed'] extends ReadonlyMap<string, infer K> ? K : never;
