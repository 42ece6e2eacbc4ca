/** Reads the parameters and body of a request, as its endpoint declares them. */
import { isUtf8 } from 'node:buffer';
import { readField, readShape, nearest, type Reading, type SentBack, type Shape } from '../../base/fields/field.ts';
import { readMultipart } from './multipart.ts';
import { boolean, oneOf, text, Variants } from '../../base/fields/kinds.ts';
import { invalid, Issues, Problem } from '../../base/problem.ts';
import { supportsDryRun, isWrite } from '../contract.ts';
import type { Endpoint } from '../acting.ts';

export const BODY_LIMIT = 1024 * 1024;
/** Returns the maximum size of the endpoint's body: files are added, as base64 if the caller sends JSON. */
export const bodyLimitOf = ({ body = {} }: Pick<Endpoint, 'body'>): number =>
  Object.values(body).reduce((limit, { spec }) => limit + Math.ceil((spec.upload ?? 0) / 3) * 4, BODY_LIMIT);
export const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;
export const SEND_A_BODY = `Send the body as ${BODY_TYPES.slice(0, -1).join(', ')} or ${BODY_TYPES.at(-1)}.`;

/** Parameters of every operation, in addition to its own. */
export const STANDARD: Shape = {
  format: oneOf(['json', 'xml']).optional().describe('Format of the response. Takes precedence over Accept.'),
};
const WITH_CSV: Shape = {
  format: oneOf(['json', 'xml', 'csv']).optional().describe('Format of the response. Takes precedence over Accept.'),
};
export const SELECTING: Shape = {
  fields: text({ max: 4000 })
    .optional()
    .describe('Comma-separated list of the fields to return. Use dots for fields of related objects.'),
  expand: text({ max: 4000 })
    .optional()
    .describe('Comma-separated list of related objects and deferred fields to include.'),
};
export const TRYING: Shape = {
  dry_run: boolean().default(false).describe('Runs the whole operation and returns its effects, but saves nothing.'),
};

/** Returns the fields that `fields` and `expand` select from; null if the response is always complete. */
export const selectableFields = ({ returns }: Pick<Endpoint, 'returns'>): { readonly fields: Shape } | null => {
  if ('resource' in returns) return returns.resource;
  return 'selects' in returns && returns.selects ? { fields: returns.selects } : null;
};

/** Returns true if the response is also available as a table. */
export const hasCsv = (returns: Endpoint['returns']): boolean => returns.kind === 'shape' && returns.csv !== undefined;

/** Returns all query parameters that the endpoint knows. */
export function querySchema(endpoint: Endpoint): Shape {
  return {
    ...endpoint.query,
    ...(selectableFields(endpoint) ? SELECTING : {}),
    ...(supportsDryRun(endpoint) ? TRYING : {}),
    // Events have one form, and documents have formats of their own.
    ...(['stream', 'file'].includes(endpoint.returns.kind) ? {} : hasCsv(endpoint.returns) ? WITH_CSV : STANDARD),
  };
}

/**
 * Flattens a query: `?a=1&a=2` is the list `1,2`, and so are `?a[]=1&a[]=2` and `?a[0]=1&a[1]=2`, as some libraries
 * write it. An empty value counts as absent. Empty `ids` mean none, though: a request for the ones that were found must
 * not return everything if nothing was found.
 */
export function flatQuery(query: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const [written, value] of Object.entries(query)) {
    const name = written.replace(/\[\d{0,9}\]$/, '');
    const given = (Array.isArray(value) ? value : [value ?? '']).filter((v) => v !== '');
    if (given.length > 0) flat[name] = [...(flat[name] ? [flat[name]] : []), ...given].join(',');
    else if (name === 'ids') flat[name] ??= '';
  }
  return flat;
}

/** Reads the queries of an endpoint. A list has dozens of parameters, and most requests send a few. */
export class QueryReader {
  readonly #schema: Shape;
  readonly #names: readonly string[];
  readonly #at: ReadonlyMap<string, number>;
  /** positions of the parameters that have a value, or are missing, if they are not sent */
  readonly #always: readonly number[];

  constructor(schema: Shape) {
    this.#schema = schema;
    this.#names = Object.keys(schema);
    this.#at = new Map(this.#names.map((name, at) => [name, at]));
    this.#always = this.#names.flatMap((name, at) => {
      const { spec } = schema[name];
      return spec.optional && spec.fallback === undefined ? [] : [at];
    });
  }

  /** `strict`: an unknown name is refused instead of ignored. */
  read(flat: Record<string, string>, zone: string, strict: boolean): Record<string, any> {
    const issues = new Issues();
    const reading: Reading = { issues, text: true, zone };
    const query: Record<string, unknown> = {};
    // In the order of the declaration, in which mistakes are reported.
    for (const at of this.#concerned(flat)) {
      const name = this.#names[at];
      const value = readField(this.#schema[name], flat[name], name, reading);
      if (value !== undefined) query[name] = value;
    }
    if (strict) {
      for (const name of Object.keys(flat)) {
        if (this.#at.has(name)) continue;
        if (issues.full) break;
        issues.addUnknown(name, 'parameter', () => nearest(name, this.#names));
      }
    }
    issues.throwIfAny();
    return query;
  }

  #concerned(flat: Record<string, string>): number[] {
    const concerned = [...this.#always];
    for (const name in flat) {
      const at = this.#at.get(name);
      if (at !== undefined && !this.#always.includes(at)) concerned.push(at);
    }
    return concerned.toSorted((a, b) => a - b);
  }
}

const TRIAL = new QueryReader(TRYING);

/** Refuses a dry run if the endpoint has none: ignored like an unknown parameter, it would make the real change. */
export function checkTrial(endpoint: Endpoint, flat: Record<string, string>): void {
  if (!isWrite(endpoint) || endpoint.dryRun === undefined || flat.dry_run === undefined) return;
  const { dry_run } = TRIAL.read({ dry_run: flat.dry_run }, 'UTC', false);
  if (dry_run) throw invalid('dry_run', `Not available for this operation. ${endpoint.dryRun}`);
}

/** A body before its endpoint reads it; `text`: its values are texts. */
export interface Parsed {
  readonly value: unknown;
  readonly text: boolean;
}

/**
 * Returns the body as an object: JSON, or a form of either kind, whose dotted names are nested. `shape` is the body's
 * declaration, which says where a form may have files.
 */
export async function parseBody(contentType: string | undefined, body: Buffer, shape: Shape = {}): Promise<Parsed> {
  if (body.length === 0) return { value: {}, text: false };
  const type = (contentType ?? 'application/json').split(';')[0].trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return { value: nested(decoded(textOf(body))), text: true };
  if (type === 'multipart/form-data') return { value: nested(await formOf(contentType!, body, shape)), text: true };
  if (type !== 'application/json') {
    throw new Problem('unsupported_media_type', SEND_A_BODY);
  }
  const text = textOf(body);
  try {
    return { value: JSON.parse(text), text: false };
  } catch {
    throw new Problem('parameter_invalid', 'The body is not valid JSON.', {
      non_field_errors: ['The body is not valid JSON.'],
    });
  }
}

async function formOf(contentType: string, body: Buffer, shape: Shape): Promise<[string, string | Buffer][]> {
  const files = new Set(Object.keys(shape).filter((name) => shape[name].spec.upload !== undefined));
  if (files.size === 0) return readMultipart(contentType, utf8(body), files);
  const form = await readMultipart(contentType, body, files);
  // The body contains bytes of files: its texts are checked after decoding.
  for (const part of form) if (part.some((one) => typeof one === 'string' && one.includes('\uFFFD'))) throw notUtf8();
  return form;
}

/**
 * Checks the encoding: an invalid character would be stored as a replacement character, and the original would be lost.
 */
function utf8(body: Buffer): Buffer {
  if (!isUtf8(body)) throw notUtf8();
  return body;
}
const textOf = (body: Buffer): string => utf8(body).toString('utf8');

function notUtf8(): Problem {
  const message = 'The body is not valid UTF-8. Encode it as UTF-8.';
  return new Problem('parameter_invalid', message, { non_field_errors: [message] });
}

const MAX_FORM_NAMES = 1000;

/** Yields the decoded names and values, and refuses invalid UTF-8: percent-decoding itself reports no mistakes. */
function* decoded(form: string): Generator<readonly [string, string]> {
  const sent = /\uFFFD|%EF%BF%BD/i.test(form);
  for (const [name, value] of new URLSearchParams(form)) {
    if (!sent && (value.includes('\uFFFD') || name.includes('\uFFFD'))) throw notUtf8();
    yield [name, value];
  }
}

const isNode = (value: unknown): boolean =>
  typeof value === 'object' && !Array.isArray(value) && !Buffer.isBuffer(value);

function nested(form: Iterable<readonly [string, string | Buffer]>): Record<string, unknown> {
  const root: Record<string, any> = Object.create(null);
  let n = 0;
  for (const [name, value] of form) {
    if (++n > MAX_FORM_NAMES) throw new Problem('parameter_invalid', 'The form has too many values.');
    const path = name.split('.').slice(0, 8);
    let node = root;
    for (const part of path.slice(0, -1)) {
      const next = node[part];
      node = node[part] = isNode(next) ? next : Object.create(null);
    }
    const last = path.at(-1)!;
    const before = node[last];
    if (before === undefined) node[last] = value;
    else if (Array.isArray(before)) before.push(value);
    else node[last] = [before, value];
  }
  return root;
}

/** Returns the response that a PUT or PATCH may send back: that of a GET of the same path, or else its own. */
export function shownBefore(endpoint: Endpoint, all: readonly Endpoint[]): Shape | undefined {
  if (endpoint.method !== 'PUT' && endpoint.method !== 'PATCH') return undefined;
  const { returns } = all.find(({ method, path }) => method === 'GET' && path === endpoint.path) ?? endpoint;
  if (returns.kind === 'one') return returns.resource.fields;
  return returns.kind === 'shape' && !(returns.shape instanceof Variants) ? returns.shape : undefined;
}

export function readBody(shape: Shape, body: Parsed, zone: string, back?: SentBack): Record<string, any> {
  const issues = new Issues();
  const value = readShape(shape, body.value, '', { issues, text: body.text, zone, ...(back && { back }) });
  issues.throwIfAny();
  return value as Record<string, any>;
}

/** Returns true if a path segment could name something: text that can't be stored names nothing. */
export const isPathText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/** Returns an id in a path; null if the text can't be an id, so that the object is not found. */
export function pathId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
