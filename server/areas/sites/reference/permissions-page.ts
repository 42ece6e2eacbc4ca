/**
 * The pages at and below /docs/permissions: who may call each operation, who is shown each property, and what a limit
 * to venues covers.
 */
import { html, inline, prose, type Html } from '../../../kernel/base/markup/html.ts';
import { frame, heading } from './frame.ts';
import { operationAddress, PERMISSIONS, permissionsOfTopic, titleOf } from './addresses.ts';
import { isPlaced } from '../../../kernel/api/venue-limit.ts';
import { placeIn, places } from './places.ts';
import type { Permission, PermissionKind } from '../../../kernel/work/access/permission.ts';
import type { Declared } from '../../../kernel/api/contract.ts';
import type { Topic } from '../../../kernel/api/area.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { Resource, Shown } from '../../../kernel/api/resource.ts';

/** A text with `code` in backticks, or markup. */
type Cell = string | Html;

const table = (caption: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): Html => {
  const cell = (text: Cell) => (typeof text === 'string' ? inline(text) : text);
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...rest
    ]) => html`<tr><th scope="row">${cell(first)}</th>${rest.map((text) => html`<td>${cell(text)}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
};

const named = (permissions: readonly Permission[]): string =>
  permissions
    .filter((permission) => permission !== 'super_admin')
    .map((permission) => `\`${permission}\``)
    .join(', ') || '`super_admin` only';

function limited({ permission, atVenues }: PermissionKind, { endpoints }: Registry): string {
  if (!endpoints.some(({ who }) => Array.isArray(who.provider) && who.provider.includes(permission))) return '';
  if (permission === 'super_admin') return 'never: a super admin has no venues';
  return atVenues ? 'yes' : 'for objects at a venue';
}

const permissions = (declared: Registry): Html =>
  table(
    'Permissions',
    ['Permission', 'Lets staff', 'Limited to venues'],
    [...declared.permissions.values()].map((kind) => [`\`${kind.permission}\``, kind.means, limited(kind, declared)]),
  );

/** Returns the row of a property; `opened`: a later area opens the property for some customers. */
function shownRow(
  { name, visible }: Resource,
  property: string,
  { provider, customer, unregistered }: Shown,
  opened: boolean,
): string[] {
  const customers = opened
    ? 'some, see its description'
    : customer === undefined || customer === true
      ? 'as the object'
      : 'no';
  const visitors = unregistered === false || visible.unregistered === false ? 'no' : 'as the object';
  return [`\`${name}.${property}\``, provider ? named(provider) : 'everybody', customers, visitors];
}

const properties = (declared: Registry): Html =>
  table(
    'Properties that need a permission',
    ['Property', 'Staff', 'Customers', 'Visitors'],
    [...declared.resources.values()].flatMap((resource) =>
      Object.entries(resource.shown).map(([property, shown]) =>
        shownRow(resource, property, shown, declared.shownOf(resource, property) !== shown),
      ),
    ),
  );

const payloads = ({ feed }: Registry): Html =>
  table(
    'Properties of feed items that need a permission',
    ['Feed item', 'Property', 'Staff'],
    [...feed.values()].flatMap(({ kind, shown = {} }) =>
      Object.entries(shown as Record<string, Shown>).map(([property, { provider }]) => [
        `\`${kind}\``,
        `\`payload.${property}\``,
        named(provider ?? []),
      ]),
    ),
  );

const atVenues = ({ resources }: Registry): Html =>
  table(
    'Objects at a venue',
    ['Object', 'What staff of other venues see of it'],
    [...resources.values()].flatMap(({ name, place }) =>
      place ? [[`\`${name}\``, place.elsewhere === 'public' ? 'as much as visitors' : 'nothing']] : [],
    ),
  );

const staffOf = ({ who }: Declared): string => {
  if (who.operator && who.provider === false) return 'the operator only';
  return who.provider === true ? 'everybody' : who.provider === false ? 'no' : named(who.provider);
};
const yes = (is: boolean | undefined): string => (is ? 'yes' : 'no');

export const topicsWithOperations = ({ topics }: Registry): Topic[] =>
  topics.filter(({ endpoints = [] }) => endpoints.length > 0);

interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly text: Html;
}

const chapters = (declared: Registry): Chapter[] => [
  {
    anchor: 'permissions',
    title: 'What each permission covers',
    text: html`<p>The last column shows which permissions apply only at a staff member's venues, if they are limited to
some.</p>${permissions(declared)}`,
  },
  {
    anchor: 'properties',
    title: 'Properties that need a permission',
    text: html`<p>To everybody else the property is null, and a list is empty, in every answer.</p>
${properties(declared)}
<p>The same holds for feed items, as the reader may see them.</p>
${payloads(declared)}`,
  },
  {
    anchor: 'at-venues',
    title: 'Objects at a venue',
    text: html`<p>Staff who are limited to some venues can’t reach objects at others. Everything else belongs to the
whole business.</p>
${atVenues(declared)}`,
  },
  {
    anchor: 'operations',
    title: 'Who may call what',
    // Its ids are the anchors that the tables had when all of them were on this page.
    text: html`<p>Each page has the operations of one area.</p>
${places(topicsWithOperations(declared).map(({ name }) => placeIn(name, permissionsOfTopic(name), titleOf(name))))}`,
  },
];

export function permissionsPage(declared: Registry, nav: Html): string {
  const all = chapters(declared);
  const main = html`<h1>Permissions</h1>
<p>A staff member's access is a list of permissions and, optionally, a list of venues where they apply. A machine token
may do everything at its business. This page is generated from the declarations that also serve requests.</p>
<ul class="plain">${all.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>
${all.map(
  ({ anchor, title, text }) =>
    html`<section aria-labelledby="${anchor}">${heading(2, anchor, title, title)}${text}</section>`,
)}`;
  return frame('Permissions: Rollcall API', nav, main);
}

/** Returns the page about who may call the operations of a topic. */
export function permissionsPageOf({ name, description }: Topic, { endpoints }: Registry, nav: Html): string {
  const title = `Permissions: ${titleOf(name)}`;
  const main = html`<h1>${title}</h1>
${prose(description)}
<p>Staff with any of the listed permissions may call the operation. A super admin may call all of them. See also
<a href="${PERMISSIONS}">what each permission covers</a>.</p>
${table(
  `Operations of ${name}`,
  ['Operation', 'Staff', 'Customers', 'Visitors', 'Limited to venues'],
  endpoints
    .filter(({ topic }) => topic === name)
    .map((endpoint) => [
      html`<a href="${operationAddress(endpoint)}"><code>${endpoint.method} ${endpoint.path}</code></a>`,
      staffOf(endpoint),
      yes(endpoint.who.customer),
      yes(endpoint.who.unregistered),
      isPlaced(endpoint) ? 'yes' : '',
    ]),
)}`;
  return frame(`${title}: Rollcall API`, nav, main);
}
