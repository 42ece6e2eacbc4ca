/** What leads around under /docs: the same on every page. */
import { DOCS, ERRORS, FEED_ITEMS, titleOf, topicPage } from './reference-addresses.ts';
import { html, type Html } from './html.ts';
import type { Registry } from './registry.ts';
import { topicsOf, type Topic } from './area.ts';

/** The topics of one area: its own, and those that it was divided into. */
export interface Family {
  readonly title: string;
  readonly topics: readonly Topic[];
}

/** Areas with something to show, in their order. */
export const families = ({ areas }: Registry): Family[] =>
  areas.flatMap((area) => {
    const topics = topicsOf(area);
    return topics.length > 0 ? [{ title: titleOf(area.name), topics }] : [];
  });

/** Pages beside those of the areas. */
const PAGES: readonly (readonly [address: string, title: string])[] = [
  [DOCS, 'Start'],
  [FEED_ITEMS, 'Feed items'],
  [ERRORS, 'Errors'],
  [`${DOCS}/permissions`, 'Permissions'],
  [`${DOCS}/changes`, 'Changes'],
];

/** `here`: the address of the page that it stands on. */
export function navigation(registry: Registry, here: string): Html {
  const link = (address: string, title: string) =>
    html`<li><a href="${address}"${address === here && html` aria-current="page"`}>${title}</a></li>`;
  const area = ({ title, topics }: Family) =>
    topics.length === 1
      ? link(topicPage(topics[0].name), title)
      : html`<li><details${topics.some(({ name }) => topicPage(name) === here) && html` open`}><summary>${title}</summary><ul>${topics.map(({ name }) => link(topicPage(name), titleOf(name)))}</ul></details></li>`;
  return html`<ul>${PAGES.map(([address, title]) => link(address, title))}</ul>
<p><strong>Reference</strong></p>
<ul>${families(registry).map(area)}</ul>`;
}
