/** Reads what a request carries, by what its endpoint declares. */
import { isUtf8 } from 'node:buffer';
import { readField, readShape, nearest, type Reading, type Shape } from './field.ts';
import { boolean, oneOf, text } from './kinds.ts';
import { Issues, Problem } from './problem.ts';
import type { Endpoint } from './endpoint.ts';

export const BODY_LIMIT = 1024 * 1024;

/** Parameters that every operation takes, besides its own. */
export const STANDARD: Shape = {
  format: oneOf(['json', 'xml']).optional().describe('Form of the answer; wins over Accept.'),
};
export const SELECTING: Shape = {
  fields: text({ max: 4000 }).optional().describe('Comma list of the fields to send; dots go into related objects.'),
  expand: text({ max: 4000 }).optional().describe('Comma list of related objects and deferred fields to send too.'),
};
export const TRYING: Shape = {
  dry_run: boolean().default(false).describe('Does everything, answers with its effects, and keeps nothing.'),
};

/** Every query parameter that the endpoint knows. */
export function querySchema(endpoint: Endpoint): Shape {
  return {
    ...endpoint.query,
    ...('resource' in endpoint.returns ? SELECTING : {}),
    ...(endpoint.dryRun ? TRYING : {}),
    // Events have one form.
    ...(endpoint.stream ? {} : STANDARD),
  };
}

/** `?a=1&a=2` is the list `1,2`; an empty value is an absent one. */
export function flatQuery(query: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    const joined = Array.isArray(value) ? value.filter((v) => v !== '').join(',') : value;
    if (joined) flat[name] = joined;
  }
  return flat;
}

/** `strict`: an unknown name is refused instead of passed over. */
export function readQuery(schema: Shape, flat: Record<string, string>, zone: string, strict: boolean): Record<string, any> {
  const issues = new Issues();
  const reading: Reading = { issues, text: true, zone };
  const query: Record<string, unknown> = {};
  for (const name in schema) {
    const value = readField(schema[name], flat[name], name, reading);
    if (value !== undefined) query[name] = value;
  }
  if (strict) {
    for (const name of Object.keys(flat)) {
      if (Object.hasOwn(schema, name)) continue;
      if (issues.full) break;
      issues.addUnknown(name, 'parameter', () => nearest(name, Object.keys(schema)));
    }
  }
  issues.throwIfAny();
  return query;
}

/** The body as an object: JSON, or a form whose dotted names are nested. */
export function parseBody(contentType: string | undefined, body: Buffer): { value: unknown; text: boolean } {
  if (body.length === 0) return { value: {}, text: false };
  const type = (contentType ?? 'application/json').split(';')[0].trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return { value: parseForm(textOf(body)), text: true };
  if (type !== 'application/json') {
    throw new Problem('unsupported_media_type', 'Send the body as application/json or application/x-www-form-urlencoded.');
  }
  const text = textOf(body);
  try {
    return { value: JSON.parse(text), text: false };
  } catch {
    throw new Problem('parameter_invalid', 'The body is not JSON.', { non_field_errors: ['The body is not JSON.'] });
  }
}

/** A letter that is none would be stored as a replacement, and nobody would know what it was. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw notUtf8();
  return body.toString('utf8');
}

function notUtf8(): Problem {
  const message = 'The body is not valid UTF-8. Encode it as UTF-8.';
  return new Problem('parameter_invalid', message, { non_field_errors: [message] });
}

const FORM_NAMES_AT_MOST = 1000;

function parseForm(form: string): Record<string, unknown> {
  const root: Record<string, any> = Object.create(null);
  let n = 0;
  // What stands behind a percent sign is decoded without a word about mistakes.
  const replaced = !/\uFFFD|%EF%BF%BD/i.test(form);
  for (const [name, value] of new URLSearchParams(form)) {
    if (replaced && (value.includes('\uFFFD') || name.includes('\uFFFD'))) throw notUtf8();
    if (++n > FORM_NAMES_AT_MOST) throw new Problem('parameter_invalid', 'The form has too many values.');
    const path = name.split('.').slice(0, 8);
    let node = root;
    for (const part of path.slice(0, -1)) {
      const next = node[part];
      node = node[part] = typeof next === 'object' && !Array.isArray(next) ? next : Object.create(null);
    }
    const last = path.at(-1)!;
    const before = node[last];
    if (before === undefined) node[last] = value;
    else if (Array.isArray(before)) before.push(value);
    else node[last] = [before, value];
  }
  return root;
}

export function readBody(shape: Shape, body: { value: unknown; text: boolean }, zone: string): Record<string, any> {
  const issues = new Issues();
  const value = readShape(shape, body.value, '', { issues, text: body.text, zone });
  issues.throwIfAny();
  return value as Record<string, any>;
}

/** Whether a segment of a path could name anything: what cannot be stored does not. */
export const isPathText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** An id in a path; whatever cannot be one is simply not there. */
export function pathId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
