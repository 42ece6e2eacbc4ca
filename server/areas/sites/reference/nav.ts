/** The navigation under /docs, the same on every page. */
import { DOCS, ERRORS, FEED_ITEMS, OPERATIONS, PERMISSIONS, titleOf, topicPage } from './addresses.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import type { Library } from './library.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import { topicsOf, type Topic } from '../../../kernel/api/area.ts';

/** The topics of one area: its own and its further ones. */
export interface Family {
  readonly title: string;
  readonly topics: readonly Topic[];
}

/** Returns the areas with something to show, in order. */
export const families = ({ areas }: Registry): Family[] =>
  areas.flatMap((area) => {
    const topics = topicsOf(area);
    return topics.length > 0 ? [{ title: titleOf(area.name), topics }] : [];
  });

/** Pages other than those of the areas. */
const PAGES: readonly (readonly [address: string, title: string])[] = [
  [DOCS, 'Start'],
  [OPERATIONS, 'All operations'],
  [FEED_ITEMS, 'Feed items'],
  [ERRORS, 'Errors'],
  [PERMISSIONS, 'Permissions'],
  [`${DOCS}/changes`, 'Changes'],
];

interface Shelf {
  readonly address: string;
  readonly title: string;
  readonly anchor: string;
  readonly means: string;
}

/** The documents of one kind. */
export const SHELVES: readonly Shelf[] = [
  { address: `${DOCS}/guide`, title: 'Guides', anchor: 'guides', means: 'How things work, and how to work with them.' },
  {
    address: `${DOCS}/algorithms`,
    title: 'Rules',
    anchor: 'rules',
    means: 'Rules and calculations of the service, with examples that its tests read.',
  },
  { address: `${DOCS}/design`, title: 'Design', anchor: 'design', means: 'Structure of the service.' },
  { address: `${DOCS}/adr`, title: 'Decisions', anchor: 'decisions', means: 'Why it was built as it is.' },
];

/** Returns the navigation of a page; `here` is the URL of that page. */
export function navigation(registry: Registry, library: Library, here: string): Html {
  const link = (address: string, title: string, inside: Html | false = false) =>
    html`<li><a href="${address}"${address === here && html` aria-current="page"`}>${title}</a>${inside}</li>`;
  // Only the page's own shelf is listed in full: the start page lists everything.
  const shelf = ({ address, title, anchor }: Shelf) =>
    link(
      `${DOCS}#${anchor}`,
      title,
      here.startsWith(`${address}/`) &&
        html`<ul>${library.below(address).map((one) => link(one.address, one.title))}</ul>`,
    );
  const area = ({ title, topics }: Family) =>
    link(
      topicPage(topics[0].name),
      title,
      topics.some(({ name }) => topicPage(name) === here) &&
        topics.length > 1 &&
        html`<ul>${topics.slice(1).map(({ name }) => link(topicPage(name), titleOf(name)))}</ul>`,
    );
  return html`<ul>${PAGES.map(([address, title]) => link(address, title))}
${SHELVES.filter(({ address }) => library.below(address).length > 0).map(shelf)}
${link(`${DOCS}#reference`, 'Reference', html`<ul>${families(registry).map(area)}</ul>`)}</ul>`;
}
