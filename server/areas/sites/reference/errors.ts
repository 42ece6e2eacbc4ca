/** All refusals on one page: their meanings, and the operations that can refuse with them. */
import { errorAnchor, operationAddress } from './addresses.ts';
import { EVERYWHERE, ON_WRITES, refusalsOf, type Declared } from '../../../kernel/api/contract.ts';
import { frame, heading } from './frame.ts';
import { html, inline, type Html } from '../../../kernel/base/markup/html.ts';
import type { ProblemKind } from '../../../kernel/base/problem.ts';
import type { Registry } from '../../../kernel/api/registry.ts';

/** Longer lists of operations are only counted. */
const MAX_NAMED = 15;

const links = (codes: readonly string[]): Html[] =>
  codes.map((code, i) => html`${i > 0 && ', '}<a href="#${errorAnchor(code)}"><code>${code}</code></a>`);

export function errorsPage(registry: Registry, nav: Html): string {
  const general: readonly string[] = [...EVERYWHERE, ...ON_WRITES];
  const uses = new Map<ProblemKind, Declared[]>();
  for (const endpoint of registry.endpoints)
    for (const kind of refusalsOf(endpoint, registry)) uses.set(kind, [...(uses.get(kind) ?? []), endpoint]);
  const main = html`<h1 id="errors">Errors</h1>
<p>Every refusal is <code>{code, message, type, field_errors, request_id}</code>. Programs go by <code>code</code>,
which never changes, or by <code>type</code>, the group of the code. <code>message</code> is for people to read.
<code>field_errors</code> has messages by the name of the property or parameter, with dots for nested properties; what
belongs to none is in <code>non_field_errors</code>. Send <code>request_id</code> along when you ask for help: it finds
the request in the log of the service.</p>
<section aria-labelledby="reads">${heading(2, 'reads', 'Every request', 'Every request')}
<p>Any request can be refused with ${links(EVERYWHERE)}.</p></section>
<section aria-labelledby="writes">${heading(2, 'writes', 'Every write', 'Every write')}
<p>A write can also be refused with ${links(ON_WRITES)}.</p></section>
<section aria-labelledby="codes">${heading(2, 'codes', 'All codes', 'All codes')}
<p>The codes are a closed list.</p>
${[...registry.problems.values()].map((kind) =>
  errorSection(kind, general.includes(kind.code) ? [] : (uses.get(kind) ?? [])),
)}</section>`;
  return frame('Errors: Rollcall API', nav, main);
}

const errorSection = ({ code, status, type, means }: ProblemKind, operations: readonly Declared[]): Html =>
  html`${heading(3, errorAnchor(code), html`<code>${code}</code>`, code)}
<p>${status}, <code>${type}</code>. ${inline(means)}</p>
${operations.length > MAX_NAMED && html`<p>${operations.length} operations can refuse with it.</p>`}
${
  operations.length > 0 &&
  operations.length <= MAX_NAMED &&
  html`<details><summary>Where it occurs</summary><ul class="plain">${operations.map(
    (e) => html`<li><a href="${operationAddress(e)}"><span class="method">${e.method}</span> ${e.path}</a></li>`,
  )}</ul></details>`
}
`;
