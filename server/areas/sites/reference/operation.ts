/** The section of the reference about one operation. */
import { DOCS, endpointAnchor, ERRORS, errorAddress, PERMISSIONS, type ResourceAddress } from './addresses.ts';
import { heading } from './frame.ts';
import { html, inline, prose, type Html } from '../../../kernel/base/markup/html.ts';
import { fieldsTable } from './fields.ts';
import {
  supportsDryRun,
  generalCodes,
  isWrite,
  pathParameters,
  refusalsOf,
  trialInWords,
  whoInWords,
  type Declared,
} from '../../../kernel/api/contract.ts';
import { kindOf } from '../../../kernel/base/problem.ts';
import { querySchema, SELECTING, STANDARD, TRYING } from '../../../kernel/api/requests/input.ts';
import { samplesOf } from './samples.ts';
import { Variants } from '../../../kernel/base/fields/kinds.ts';
import type { Examples } from './examples.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { Resource } from '../../../kernel/api/resource.ts';
import type { Shape } from '../../../kernel/base/fields/field.ts';

/** State that the operations of a page share. */
export interface Around {
  readonly addressOf: ResourceAddress;
  /** returns the link for a code that names an operation */
  readonly placeOf: (code: string) => string | null;
  readonly examples: Examples;
  /** operations that are already on the page */
  readonly shown: Map<string, Declared>;
  /** codes of refusals that the page has already explained */
  readonly meant: Set<string>;
}

export function operationSection(endpoint: Declared, registry: Registry, around: Around): Html {
  const { method, path, summary, description, body } = endpoint;
  const { addressOf } = around;
  const id = endpointAnchor(endpoint);
  return html`<section aria-labelledby="${id}"${forTrying(endpoint)}>
${heading(2, id, html`<span class="method">${method}</span> <code>${path}</code>`, `${method} ${path}`)}
<p><strong>${summary}.</strong></p>
${prose(description, around.placeOf)}
<p>${inline([whoInWords(endpoint), trialInWords(endpoint)].filter(Boolean).join(' '))}${
    Array.isArray(endpoint.who.provider) && html` <a href="${PERMISSIONS}#permissions">What each permission covers.</a>`
  }</p>
${parametersSection(endpoint, addressOf)}
${
  isWrite(endpoint) &&
  body &&
  Object.keys(body).length > 0 &&
  html`${part(id, 'Body')}${fieldsTable(`Body of ${method} ${path}`, body as Shape, 'input', addressOf)}`
}
${part(id, 'Answer')}
${answerSection(endpoint, addressOf)}
${part(id, 'Refusals')}
${refusalSection(endpoint, registry, around.meant)}
${part(id, 'Example')}
${samplesOf(endpoint, around.examples, around.shown)}</section>
`;
}

/** Returns the data for the form to try the operation; none for a stream, which does not end. */
const forTrying = (endpoint: Declared): Html | false =>
  endpoint.returns.kind !== 'stream' &&
  html` data-operation="${endpoint.method} ${endpoint.path}"${
    isWrite(endpoint) && html` data-trial="${supportsDryRun(endpoint) ? 'yes' : 'no'}"`
  }${isWrite(endpoint) && endpoint.body && html` data-body="yes"`}`;

/** Returns a heading inside an operation; it links to itself. */
const part = (id: string, title: string): Html =>
  html`<h3 id="${id}-${title}"><a href="#${id}-${title}">${title}</a></h3>`;

/** Parameters and properties that so many operations have that one chapter explains them. */
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
  return html`${part(endpointAnchor(endpoint), 'Parameters')}
${inPath.length > 0 && html`<p>In the path: ${listed(inPath.map((name) => html`<code>${name}</code>`))}.</p>`}
${
  Object.keys(own).length > 0 &&
  fieldsTable(`Query parameters of ${endpoint.method} ${endpoint.path}`, own, 'input', addressOf)
}
${
  known.length > 0 &&
  html`<p>As many other operations do, it takes ${listed(
    known.map((name) => html`<a href="${DOCS}#${EXPLAINED[name]}"><code>${name}</code></a>`),
  )}.</p>`
}`;
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
      return html`<p>${status}: a document, ${returns.types.map(
        (type, i) => html`${i > 0 && ' or '}<code>${type}</code>`,
      )}.</p>`;
    case 'stream':
      return html`<p>${status}: server-sent events. The data of each is an object with</p>${formTables(
        returns.shape,
        addressOf,
      )}`;
    case 'shape':
    case 'pageOf':
      return html`<p>${status}: ${
        returns.kind === 'pageOf' ? 'a page of objects' : 'an object'
      } with</p>${formTables(returns.shape, addressOf)}`;
  }
}

const formTables = (form: Shape | Variants, addressOf: ResourceAddress): Html =>
  form instanceof Variants
    ? html`${Object.entries(form.of).map(
        ([name, shape], i) =>
          html`<p>${i > 0 && 'or '}<code>${name}</code>:</p>${fieldsTable(
            `The answer ${name}`,
            shape,
            'answer',
            addressOf,
          )}`,
      )}`
    : fieldsTable('The answer', form, 'answer', addressOf);

const errorLink = (code: string): Html => html`<a href="${errorAddress(code)}"><code>${code}</code></a>`;

/** In lists longer than this, each code is explained only once on a page. */
const MEANT_EACH_TIME = 12;

function refusalSection(endpoint: Declared, registry: Registry, meant: Set<string>): Html {
  const general: readonly string[] = generalCodes(endpoint);
  const named = endpoint.problems.map(kindOf);
  const all = refusalsOf(endpoint, registry);
  const own = all.filter((kind) => named.includes(kind));
  const explained = own.length > MEANT_EACH_TIME ? own.filter(({ code }) => !meant.has(code)) : own;
  for (const { code } of explained) meant.add(code);
  const known = own.filter((kind) => !explained.includes(kind));
  const more = all.filter((kind) => !named.includes(kind) && !general.includes(kind.code));
  return html`${
    own.length > 0 &&
    html`<ul>${explained.map(
      ({ code, status, means }) => html`<li>${status} ${errorLink(code)}: ${inline(means)}</li>`,
    )}
${known.map(({ code, status }) => html`<li>${status} ${errorLink(code)}</li>`)}</ul>`
  }
<p>It can ${own.length > 0 && 'also '}be refused with ${
    more.length > 0 && html`${listed(more.map(({ code }) => errorLink(code)))} and `
  }the codes of <a href="${ERRORS}#${isWrite(endpoint) ? 'writes' : 'reads'}">${
    isWrite(endpoint) ? 'every write' : 'every read'
  }</a>.</p>`;
}
