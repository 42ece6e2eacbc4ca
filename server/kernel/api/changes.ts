/** The dated list of changes of the interface: how it is kept, and its page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { html } from './html.ts';
import { frame } from './reference-frame.ts';

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
  /** `GET /customers`, or what the change is not about an operation: */
  readonly operation?: string;
  /** name of a resource, or `feed_item_types` */
  readonly resource?: string;
  /** of the property or parameter, dots go inside; of a value `property=value` */
  readonly name?: string;
}

export interface DatedChanges {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly changes: readonly Change[];
}

export const CHANGES_FILE = fileURLToPath(new URL('../../../docs/api/changes.json', import.meta.url));

/** Newest last; empty before the first version was written down. */
export function readChanges(file = CHANGES_FILE): DatedChanges[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function changesPage(list: readonly DatedChanges[]): string {
  const newestFirst = list.toReversed();
  const nav = html`<p><a href="/docs"><strong>Rollcall API</strong></a></p><ul>${newestFirst.map(({ date }) => html`<li><a href="#${date}">${date}</a></li>`)}</ul>`;
  const main = html`<h1>Changes of the API</h1>
<p>Version 2. Each list holds what changed in the interface on that day.</p>
${newestFirst.length === 0 && html`<p>No changes are recorded.</p>`}
${newestFirst.map(
  ({
    date,
    changes,
  }) => html`<section aria-labelledby="${date}"><h2 id="${date}"><time datetime="${date}">${date}</time></h2>
<ul>${changes.map(
    ({
      kind,
      operation,
      resource,
      name,
    }) => html`<li>${CHANGE_KINDS[kind]}${(operation ?? resource) && html`: <code>${operation ?? resource}</code>`}${name && html` <code>${name}</code>`}</li>
`,
  )}</ul></section>`,
)}`;
  return frame('Changes of the Rollcall API', nav, main);
}
