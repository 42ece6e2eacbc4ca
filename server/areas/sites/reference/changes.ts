/** The list of changes to the interface in each release: its format, and its page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { frame, heading } from './frame.ts';

export const CHANGE_KINDS = {
  first_version: 'First version',
  endpoint_added: 'Endpoint added',
  endpoint_removed: 'Endpoint removed',
  resource_added: 'Resource added',
  resource_removed: 'Resource removed',
  parameter_added: 'Query parameter added',
  parameter_removed: 'Query parameter removed',
  property_added: 'Property added',
  required_property_added: 'Required property added',
  property_removed: 'Property removed',
  property_became_required: 'Property made required',
  property_became_optional: 'Property made optional',
  property_became_read_only: 'Property made read-only',
  enumerated_value_added: 'Enumerated value added',
  enumerated_value_removed: 'Enumerated value removed',
  request_type_changed: 'Request type changed',
  request_type_widened: 'Request type widened',
  response_type_changed: 'Response type changed',
  response_type_widened: 'Response type widened',
} as const;

export type ChangeKind = keyof typeof CHANGE_KINDS;

export interface Change {
  readonly kind: ChangeKind;
  /** `GET /customers`; if the change does not concern an operation: */
  readonly operation?: string;
  /** name of a resource, or `feed_item_types` */
  readonly resource?: string;
  /** of the property or parameter, with dots for nested ones; of a value `property=value` */
  readonly name?: string;
}

/** Changes since the previous release. */
export interface Release {
  readonly version: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly changes: readonly Change[];
}

export const CHANGES_FILE = fileURLToPath(new URL('../../../../docs/api/changes.json', import.meta.url));

/** Reads the releases, newest last; empty before the first release. */
export function readChanges(file = CHANGES_FILE): Release[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const changeLine = ({ kind, operation, resource, name }: Change): Html => {
  const of = operation ?? resource;
  return html`<li>${CHANGE_KINDS[kind]}${of && html`: <code>${of}</code>`}${name && html` <code>${name}</code>`}</li>
`;
};

const releaseSection = ({ version, date, changes }: Release): Html =>
  html`<section aria-labelledby="${version}">${heading(
    2,
    version,
    html`${version}, <time datetime="${date}">${date}</time>`,
    version,
  )}
${
  changes.length === 0 ? html`<p>Nothing changed in the interface.</p>` : html`<ul>${changes.map(changeLine)}</ul>`
}</section>`;

/** Returns the page. `nav` is the navigation; `more` is shown below the changes of the interface. */
export function changesPage(releases: readonly Release[], nav: Html, more?: Html): string {
  const newestFirst = releases.toReversed();
  const main = html`<h1>API changes</h1>
${
  newestFirst.length === 0 &&
  html`<p>There are no changes yet: no version of Rollcall has been released before this one. From the first release
on, this page lists what each release changes.</p>`
}
${newestFirst.map(releaseSection)}
${more}`;
  return frame('Changes: Rollcall API', nav, main);
}
