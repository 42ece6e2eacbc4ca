/**
 * The reference for readers: a start page, a list of everything, and a page for each topic, generated from the
 * declarations.
 */
import {
  endpointAnchor,
  ERRORS,
  FEED_ITEMS,
  operationAddress,
  operationPlaces,
  OPERATIONS,
  PERMISSIONS,
  resourceAddresses,
  resourceAnchor,
  titleOf,
  topicPage,
} from './addresses.ts';
import { families, SHELVES, type Family } from './nav.ts';
import { fieldsTable } from './fields.ts';
import { frame, heading } from './frame.ts';
import { guide, INTRODUCTION } from './guide.ts';
import { RELEASE } from '../../../kernel/base/release.ts';
import { html, inline, prose, type Html } from '../../../kernel/base/markup/html.ts';
import { operationSection, type Around } from './operation.ts';
import { placeIn, places } from './places.ts';
import type { Declared } from '../../../kernel/api/contract.ts';
import type { Examples } from './examples.ts';
import type { Library } from './library.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { Resource } from '../../../kernel/api/resource.ts';
import type { Topic } from '../../../kernel/api/area.ts';

export function startPage(registry: Registry, library: Library, nav: Html): string {
  const main = html`<h1>Rollcall API, version 2</h1>
<p class="soft">Rollcall ${RELEASE}</p>
${INTRODUCTION}
<section aria-labelledby="reference">${heading(2, 'reference', 'Reference', 'Reference')}
<p>The reference and the <a href="/api/v2/openapi.json">OpenAPI document</a> are generated from the declarations that
also serve requests. See
also <a href="${OPERATIONS}">all operations</a> on one page, what happens in a business (<a href="${FEED_ITEMS}">feed
items</a>), every refusal (<a href="${ERRORS}">errors</a>), who may do what (<a href="${PERMISSIONS}">permissions</a>)
and what changed with each release (<a href="/docs/changes">changes</a>).</p>
${places(families(registry).flatMap(({ topics }) => topics.map(topicPlace)))}</section>
${SHELVES.map(
  ({ address, title, anchor, means }) => html`<section aria-labelledby="${anchor}">${heading(2, anchor, title, title)}
<p>${means}</p>
<ul class="plain">${library.below(address).map((one) => html`<li><a href="${one.address}">${one.title}</a></li>`)}</ul>
</section>`,
)}
${guide()}`;
  return frame('Rollcall API', nav, main);
}

const topicPlace = ({ name, description }: Topic): Html =>
  placeIn(
    name,
    topicPage(name),
    html`<strong>${titleOf(name)}</strong>`,
    html` <span class="soft">${inline(firstOf(description))}</span>`,
  );

/** Returns the first sentence of a description. */
const firstOf = (text: string): string => /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/**
 * Returns the page of all operations. Its ids are the anchors that operations and resources had when the reference was
 * one page.
 */
export function operationsPage(registry: Registry, nav: Html): string {
  const main = html`<h1>All operations</h1>
<p>Every operation and every resource, by area.</p>
${families(registry).map((family) => familySection(family, registry))}`;
  return frame('All operations: Rollcall API', nav, main);
}

const familySection = ({ title, topics }: Family, registry: Registry): Html =>
  html`<section aria-labelledby="area-${topics[0].name}">${heading(2, `area-${topics[0].name}`, title, title)}
${topics.map((topic) =>
  places([
    ...(topic.resources ?? []).map(({ name }) =>
      placeIn(resourceAnchor(name), `${topicPage(topic.name)}#${resourceAnchor(name)}`, name),
    ),
    ...operationsOf(topic, registry).map((e) =>
      placeIn(endpointAnchor(e), operationAddress(e), html`<b>${e.method}</b> ${e.path}`),
    ),
  ]),
)}</section>
`;

const operationsOf = ({ name }: Topic, { endpoints }: Registry): Declared[] =>
  endpoints.filter(({ topic }) => topic === name);

export function topicPageOf(topic: Topic, registry: Registry, examples: Examples, nav: Html): string {
  const title = titleOf(topic.name);
  const around: Around = {
    addressOf: resourceAddresses(registry),
    placeOf: operationPlaces(registry),
    examples,
    shown: new Map(),
    meant: new Set(),
  };
  const resources = (topic.resources ?? []).map(({ name }) => registry.resourceOf(name));
  const operations = operationsOf(topic, registry);
  const main = html`<h1 id="${topic.name}">${title}</h1>
${prose(topic.description, around.placeOf)}
<ul class="plain">${operations.map(
    (e) =>
      html`<li><a href="#${endpointAnchor(e)}"><span class="method">${e.method}</span> ${e.path}</a>
<span class="soft">${e.summary}</span></li>`,
  )}
${resources.map(({ name }) => html`<li><a href="#${resourceAnchor(name)}">The resource ${name}</a></li>`)}</ul>
${operations.map((e) => operationSection(e, registry, around))}
${resources.map((resource) => resourceSection(resource, around))}`;
  return frame(`${title}: Rollcall API`, nav, main);
}

const resourceSection = (resource: Resource, { addressOf, placeOf }: Around): Html => {
  const { name, description, fields } = resource;
  return html`<section aria-labelledby="${resourceAnchor(name)}">
${heading(2, resourceAnchor(name), html`The resource <code>${name}</code>`, `the resource ${name}`)}
${prose(description, placeOf)}
${fieldsTable(`Fields of ${name}`, fields, 'answer', addressOf)}</section>
`;
};
