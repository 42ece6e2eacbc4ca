/** The reference to read: a start page, and a page for each topic, made of the declarations, without scripts. */
import {
  DOCS,
  endpointAnchor,
  ERRORS,
  errorAddress,
  operationAddress,
  resourceAddresses,
  resourceAnchor,
  titleOf,
  topicPage,
  type ResourceAddress,
} from './reference-addresses.ts';
import { families, SHELVES, type Family } from './reference-nav.ts';
import { frame, heading } from './reference-frame.ts';
import { html, inline, prose, type Html } from './html.ts';
import { guide, INTRODUCTION } from './reference-guide.ts';
import { fieldsTable } from './reference-fields.ts';
import {
  canBeTried,
  generalCodes,
  isWrite,
  pathParameters,
  refusalsOf,
  trialInWords,
  whoInWords,
  type Declared,
} from './contract.ts';
import { kindOf } from './problem.ts';
import { samplesOf } from './reference-samples.ts';
import { Variants } from './kinds.ts';
import { querySchema, SELECTING, STANDARD, TRYING } from './input.ts';
import type { Registry } from './registry.ts';
import type { Examples } from './reference-examples.ts';
import type { Library } from './reference-library.ts';
import type { Topic } from './area.ts';
import type { Resource } from './resource.ts';
import type { Shape } from './field.ts';

export function startPage(registry: Registry, library: Library, nav: Html): string {
  const main = html`<h1>Rollcall API, version 2</h1>
${INTRODUCTION}
<section aria-labelledby="reference">${heading(2, 'reference', 'Reference', 'Reference')}
<p>The reference and the <a href="/api/v2/openapi.json">OpenAPI document</a> are generated from the declarations that also serve requests. See also what happens in a business (<a href="/docs/feed-items">feed items</a>), every refusal (<a href="/docs/errors">errors</a>), who may do what (<a href="/docs/permissions">permissions</a>) and what changed with each release (<a href="/docs/changes">changes</a>).</p>
${families(registry).map((family) => familySection(family, registry))}</section>
${SHELVES.map(
  ({ address, title, anchor, means }) => html`<section aria-labelledby="${anchor}">${heading(2, anchor, title, title)}
<p>${means}</p>
<ul class="plain">${library.below(address).map((one) => html`<li><a href="${one.address}">${one.title}</a></li>`)}</ul></section>`,
)}
${guide()}`;
  return frame('Rollcall API', nav, main);
}

/** Its ids are the places that things had when the whole reference was one page: links to them still lead on. */
const familySection = ({ title, topics }: Family, registry: Registry): Html =>
  html`<details><summary>${title}: ${topics[0].description}</summary>
${topics.map(
  (
    topic,
  ) => html`<p id="${topic.name}"><a href="${topicPage(topic.name)}"><strong>${titleOf(topic.name)}</strong></a></p>
<ul class="plain">${(topic.resources ?? []).map(({ name }) => html`<li id="${resourceAnchor(name)}"><a href="${topicPage(topic.name)}#${resourceAnchor(name)}">${name}</a></li>`)}
${operationsOf(topic, registry).map((e) => html`<li id="${endpointAnchor(e)}"><a href="${operationAddress(e)}"><span class="method">${e.method}</span> ${e.path}</a></li>`)}</ul>`,
)}</details>`;

const operationsOf = ({ name }: Topic, { endpoints }: Registry): Declared[] =>
  endpoints.filter(({ topic }) => topic === name);

export function topicPageOf(topic: Topic, registry: Registry, examples: Examples, nav: Html): string {
  const title = titleOf(topic.name);
  const answers: Answers = { examples, shown: new Map() };
  const addressOf = resourceAddresses(registry);
  const resources = (topic.resources ?? []).map(({ name }) => registry.resourceOf(name));
  const operations = operationsOf(topic, registry);
  const main = html`<h1 id="${topic.name}">${title}</h1>
${prose(topic.description)}
<ul class="plain">${operations.map((e) => html`<li><a href="#${endpointAnchor(e)}"><span class="method">${e.method}</span> ${e.path}</a> <span class="soft">${e.summary}</span></li>`)}
${resources.map(({ name }) => html`<li><a href="#${resourceAnchor(name)}">The resource ${name}</a></li>`)}</ul>
${operations.map((e) => operationSection(e, registry, addressOf, answers))}
${resources.map((resource) => resourceSection(resource, addressOf))}`;
  return frame(`${title}: Rollcall API`, nav, main);
}

const resourceSection = (resource: Resource, addressOf: ResourceAddress): Html => {
  const { name, description, fields } = resource;
  return html`<section aria-labelledby="${resourceAnchor(name)}">
${heading(2, resourceAnchor(name), html`The resource <code>${name}</code>`, `the resource ${name}`)}
${prose(description)}
${fieldsTable(`Fields of ${name}`, fields, 'answer', addressOf)}</section>
`;
};

interface Answers {
  readonly examples: Examples;
  /** those that stand on the page already */
  readonly shown: Map<string, Declared>;
}

function operationSection(endpoint: Declared, registry: Registry, addressOf: ResourceAddress, answers: Answers): Html {
  const { method, path, summary, description, body } = endpoint;
  const id = endpointAnchor(endpoint);
  return html`<section aria-labelledby="${id}"${forTrying(endpoint)}>
${heading(2, id, html`<span class="method">${method}</span> <code>${path}</code>`, `${method} ${path}`)}
<p><strong>${summary}.</strong></p>
${prose(description)}
<p>${inline([whoInWords(endpoint), trialInWords(endpoint)].filter(Boolean).join(' '))}${Array.isArray(endpoint.who.provider) && html` <a href="${DOCS}/permissions#permissions">What each permission covers.</a>`}</p>
${parametersSection(endpoint, addressOf)}
${isWrite(endpoint) && body && Object.keys(body).length > 0 && html`<h3>Body</h3>${fieldsTable(`Body of ${method} ${path}`, body as Shape, 'input', addressOf)}`}
<h3>Answer</h3>
${answerSection(endpoint, addressOf)}
<h3>Refusals</h3>
${refusalSection(endpoint, registry)}
${samplesOf(endpoint, answers.examples, answers.shown)}</section>
`;
}

/** What the form to try it needs to know; none for a stream, which does not end. */
const forTrying = (endpoint: Declared): Html | false =>
  endpoint.returns.kind !== 'stream' &&
  html` data-operation="${endpoint.method} ${endpoint.path}"${isWrite(endpoint) && html` data-trial="${canBeTried(endpoint) ? 'yes' : 'no'}"`}${isWrite(endpoint) && endpoint.body && html` data-body="yes"`}`;

/** What so many operations take that it is explained once, by the chapter that does. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(SELECTING).map((name) => [name, 'selecting'])),
  ...Object.fromEntries(Object.keys(TRYING).map((name) => [name, 'trying'])),
  ...Object.fromEntries(Object.keys(STANDARD).map((name) => [name, 'formats'])),
  page: 'paging',
  page_size: 'paging',
};

function parametersSection(endpoint: Declared, addressOf: ResourceAddress): Html | false {
  const inPath = pathParameters(endpoint.path);
  const all = Object.entries(querySchema(endpoint));
  const own = Object.fromEntries(all.filter(([name]) => !(name in EXPLAINED)));
  const known = all.map(([name]) => name).filter((name) => name in EXPLAINED);
  if (inPath.length + all.length === 0) return false;
  return html`<h3>Parameters</h3>
${inPath.length > 0 && html`<p>In the path: ${listed(inPath.map((name) => html`<code>${name}</code>`))}.</p>`}
${Object.keys(own).length > 0 && fieldsTable(`Query parameters of ${endpoint.method} ${endpoint.path}`, own, 'input', addressOf)}
${known.length > 0 && html`<p>As many other operations do, it takes ${listed(known.map((name) => html`<a href="${DOCS}#${EXPLAINED[name]}"><code>${name}</code></a>`))}.</p>`}`;
}

const listed = (parts: readonly Html[]): Html[] => parts.map((part, i) => html`${i > 0 && ', '}${part}`);

function answerSection({ status, returns }: Declared, addressOf: ResourceAddress): Html {
  const link = ({ name }: Resource) => html`<a href="${addressOf(name)}"><code>${name}</code></a>`;
  switch (returns.kind) {
    case 'one':
      return html`<p>${status}: a ${link(returns.resource)}.</p>`;
    case 'page':
      return html`<p>${status}: a page of ${link(returns.resource)}.</p>`;
    case 'none':
      return html`<p>204, without a body.</p>`;
    case 'file':
      return html`<p>${status}: a document, ${returns.types.map((type, i) => html`${i > 0 && ' or '}<code>${type}</code>`)}.</p>`;
    case 'stream':
      return html`<p>${status}: server-sent events. The data of each is an object with</p>${formTables(returns.shape, addressOf)}`;
    case 'shape':
    case 'pageOf':
      return html`<p>${status}: ${returns.kind === 'pageOf' ? 'a page of objects' : 'an object'} with</p>${formTables(returns.shape, addressOf)}`;
  }
}

const formTables = (form: Shape | Variants, addressOf: ResourceAddress): Html =>
  form instanceof Variants
    ? html`${Object.entries(form.of).map(([name, shape], i) => html`<p>${i > 0 && 'or '}<code>${name}</code>:</p>${fieldsTable(`The answer ${name}`, shape, 'answer', addressOf)}`)}`
    : fieldsTable('The answer', form, 'answer', addressOf);

function refusalSection(endpoint: Declared, registry: Registry): Html {
  const general: readonly string[] = generalCodes(endpoint);
  const named = endpoint.problems.map(kindOf);
  const own = refusalsOf(endpoint, registry).filter((kind) => named.includes(kind) || !general.includes(kind.code));
  const every = isWrite(endpoint) ? 'every write' : 'every read';
  return html`${own.length > 0 && html`<ul>${own.map(({ code, status, means }) => html`<li>${status} <a href="${errorAddress(code)}"><code>${code}</code></a>: ${inline(means)}</li>`)}</ul>`}
<p>It can ${own.length > 0 && 'also '}be refused with the codes of <a href="${ERRORS}#${isWrite(endpoint) ? 'writes' : 'reads'}">${every}</a>.</p>`;
}
