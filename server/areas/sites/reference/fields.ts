/** Declared fields as a table for readers. */
import { html, inline, type Html } from '../../../kernel/base/markup/html.ts';
import type { Field, JsonSchema, Shape } from '../../../kernel/base/fields/field.ts';
import type { ResourceAddress } from './addresses.ts';

/** An `answer` shows which properties may be null, deferred or opened; an `input` shows which are required. */
type Side = 'answer' | 'input';

export const fieldsTable = (
  caption: string,
  shape: Shape,
  side: Side,
  addressOf: ResourceAddress,
): Html => html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${rows(shape, '', side, addressOf)}</tbody></table></div>`;

const rows = (shape: Shape, path: string, side: Side, addressOf: ResourceAddress): Html[] =>
  Object.entries(shape).flatMap(([name, field]) => {
    const at = path + name;
    const row = html`<tr><th scope="row"><code>${at}</code></th><td>${typeInWords(field)}</td>
<td>${notes(field, side, addressOf)}</td></tr>
`;
    return field.spec.shape ? [row, ...rows(field.spec.shape, `${at}.`, side, addressOf)] : [row];
  });

const RELATED = {
  id: 'id',
  slug: 'slug',
  object: 'object',
  ids: 'array of ids',
  objects: 'array of objects',
  url: 'URL of a list',
};

export function typeInWords({ spec: { schema, relation, nullable } }: Field<any>): string {
  const type = relation ? RELATED[relation.collapsed ?? 'id'] : words(schema);
  return nullable ? `${type} or null` : type;
}

function words(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'array') return `array of ${schema.items ? words(schema.items) : 'objects'}`;
  if (schema.type === 'object' && schema.properties) return `object: ${Object.keys(schema.properties).join(', ')}`;
  if (typeof schema.additionalProperties === 'object') return `object: by name, ${words(schema.additionalProperties)}`;
  const plain =
    { 'date-time': 'time', date: 'date', email: 'email address', uri: 'URL' }[schema.format as string] ??
    schema.type ??
    'any';
  const bounds = [
    schema.minimum !== undefined && `from ${schema.minimum}`,
    schema.maximum !== undefined && `to ${schema.maximum}`,
    schema.maxLength !== undefined && schema.maxLength < 10_000 && `up to ${schema.maxLength} characters`,
  ].filter(Boolean);
  return bounds.length > 0 ? `${plain}, ${bounds.join(' ')}` : String(plain);
}

function notes({ spec }: Field<any>, side: Side, addressOf: ResourceAddress): Html {
  const { description, deferred, relation, optional, fallback } = spec;
  const expands =
    relation && html`Expands to <a href="${addressOf(relation.target)}"><code>${relation.target}</code></a>.`;
  const said = [
    side === 'input' && !optional && html`<strong>Required.</strong>`,
    side === 'input' && fallback !== undefined && html`Default <code>${JSON.stringify(fallback)}</code>.`,
    side === 'answer' &&
      deferred &&
      html`Deferred: returned only if <code>expand</code> or <code>fields</code> names it.`,
    side === 'answer' && expands,
    side === 'input' &&
      relation &&
      html`${
        relation.collapsed === 'slug' ? 'Slug or id' : 'Id'
      } of a <a href="${addressOf(relation.target)}"><code>${relation.target}</code></a>.`,
    description !== undefined && html`${inline(description)}`,
  ].filter((x) => x !== false && x !== undefined) as Html[];
  return html`${said.map((one, i) => html`${i > 0 && ' '}${one}`)}`;
}
