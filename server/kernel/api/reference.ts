/** The reference to read: one page, made of the declarations, without scripts. */
import { html, inline, prose, type Html } from './html.ts';
import { frame } from './reference-frame.ts';
import { guide, GUIDE } from './reference-guide.ts';
import { fieldsTable, typeInWords } from './reference-fields.ts';
import { isWrite, pathParameters, refusalsOf, trialInWords, whoInWords, type Declared } from './contract.ts';
import { kindOf, type ProblemKind } from './problem.ts';
import { Variants } from './kinds.ts';
import { querySchema } from './input.ts';
import type { Registry } from './registry.ts';
import type { Topic } from './area.ts';
import type { Resource } from './resource.ts';
import type { Shape } from './field.ts';

export const endpointAnchor = ({ method, path }: { method: string; path: string }): string =>
  `${method.toLowerCase()}-${path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')}`;
export const errorAnchor = (code: string): string => `error-${code}`;

export function referencePage(registry: Registry): string {
  const main = html`<h1>Rollcall API, version 2</h1>
<p>Every path starts with <code>/api/v2</code>. This page and the <a href="/api/v2/openapi.json">OpenAPI document</a> are generated from the declarations that also serve requests. See also who may do what (<a href="/docs/permissions">permissions</a>) and what changed with each release (<a href="/docs/changes">changes</a>).</p>
${guide()}
${registry.topics.map((topic) => topicSection(topic, registry))}
${feedSection(registry)}
${errorSection(registry)}`;
  return frame('Rollcall API reference', navigation(registry), main);
}

const navigation = (registry: Registry): Html => html`<p><a href="/docs"><strong>Rollcall API</strong></a></p>
<ul>${GUIDE.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>
${registry.topics.map(
  (topic) => html`<p><a href="#${topic.name}"><strong>${title(topic.name)}</strong></a></p>
<ul>${(topic.resources ?? []).map((r: Resource) => html`<li><a href="#resource-${r.name}">${r.name}</a></li>`)}
${(topic.endpoints ?? []).map((e) => html`<li><a href="#${endpointAnchor(e)}"><span class="method">${e.method}</span> ${e.path}</a></li>`)}</ul>`,
)}
<ul>${registry.feed.size > 0 && html`<li><a href="#feed-items">Feed items</a></li>`}
<li><a href="#errors">Errors</a></li><li><a href="/docs/permissions">Permissions</a></li><li><a href="/docs/changes">Changes</a></li></ul>`;

const title = (name: string): string => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');

const topicSection = (topic: Topic, registry: Registry): Html => html`<section aria-labelledby="${topic.name}">
<h2 id="${topic.name}">${title(topic.name)}</h2>
${prose(topic.description)}
${(topic.resources ?? []).map((r: Resource) => resourceSection(r))}
${registry.endpoints.filter((e) => e.topic === topic.name).map((e) => endpointSection(e, registry))}
</section>`;

const resourceSection = (
  resource: Resource,
): Html => html`<h3 id="resource-${resource.name}">The resource <code>${resource.name}</code></h3>
${prose(resource.description)}
${fieldsTable(`Fields of ${resource.name}`, resource.fields, 'answer')}`;

function endpointSection(endpoint: Declared, registry: Registry): Html {
  const { method, path, summary, description, body } = endpoint;
  const inPath = pathParameters(path);
  return html`<h3 id="${endpointAnchor(endpoint)}"><span class="method">${method}</span> <code>${path}</code></h3>
<p><strong>${summary}.</strong></p>
${prose(description)}
<p>${inline([whoInWords(endpoint), trialInWords(endpoint)].filter(Boolean).join(' '))}</p>
${inPath.length > 0 && html`<p>In the path: ${inPath.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)}.</p>`}
<h4>Parameters</h4>
${fieldsTable(`Query parameters of ${method} ${path}`, querySchema(endpoint), 'input')}
${isWrite(endpoint) && body && Object.keys(body).length > 0 && html`<h4>Body</h4>${fieldsTable(`Body of ${method} ${path}`, body as Shape, 'input')}`}
<h4>Answer</h4>
${answerSection(endpoint)}
<h4>Refusals</h4>
${refusalSection(endpoint, registry)}`;
}

const link = (r: Resource) => html`<a href="#resource-${r.name}"><code>${r.name}</code></a>`;

function answerSection({ status, returns }: Declared): Html {
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
      return html`<p>${status}: server-sent events. The data of each is an object with</p>${formTables(returns.shape)}`;
    case 'shape':
    case 'pageOf':
      return html`<p>${status}: ${returns.kind === 'pageOf' ? 'a page of objects' : 'an object'} with</p>${formTables(returns.shape)}`;
  }
}

const formTables = (form: Shape | Variants): Html =>
  form instanceof Variants
    ? html`${Object.entries(form.of).map(([name, shape], i) => html`<p>${i > 0 && 'or '}<code>${name}</code>:</p>${fieldsTable(`The answer ${name}`, shape, 'answer')}`)}`
    : fieldsTable('The answer', form, 'answer');

const errorLinks = (kinds: readonly ProblemKind[]): Html[] =>
  kinds.map(({ code }, i) => html`${i > 0 && ', '}<a href="#${errorAnchor(code)}"><code>${code}</code></a>`);

function refusalSection(endpoint: Declared, registry: Registry): Html {
  const all = refusalsOf(endpoint, registry);
  const listed = endpoint.problems.map(kindOf);
  const [own, general] = [all.filter((kind) => listed.includes(kind)), all.filter((kind) => !listed.includes(kind))];
  return html`${own.length > 0 && html`<ul>${own.map(({ code, status, means }) => html`<li>${status} <a href="#${errorAnchor(code)}"><code>${code}</code></a>: ${inline(means)}</li>`)}</ul>`}
<details><summary>General refusals</summary><p>${errorLinks(general)}</p></details>`;
}

const feedSection = ({ feed }: Registry): Html | false =>
  feed.size > 0 &&
  html`<section aria-labelledby="feed-items"><h2 id="feed-items">Feed items</h2>
<p>What happens in a business, in its order. These are the values of <code>feed_item_types</code>.</p>
${[...feed.values()].map(
  (kind) => html`<h3 id="feed-${kind.kind}"><code>${kind.kind}</code></h3>${prose(kind.description)}
<p>Happens to a <a href="#resource-${kind.object}"><code>${kind.object}</code></a>; carries ${Object.entries(kind.payload).map(([name, field], i) => html`${i > 0 && ', '}<code>${name}</code> <span class="soft">(${typeInWords(field)})</span>`)}.</p>`,
)}</section>`;

const errorSection = ({
  problems,
}: Registry): Html => html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>Every refusal is <code>{code, message, type, field_errors, request_id}</code>. The codes are a closed list:</p>
<div class="scroll" role="region" aria-label="Error codes" tabindex="0"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${[...problems.values()].map(
  ({
    code,
    status,
    type,
    means,
  }) => html`<tr id="${errorAnchor(code)}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${type}</td><td>${inline(means)}</td></tr>
`,
)}</tbody></table></div></section>`;
