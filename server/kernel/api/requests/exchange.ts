/** Requests and responses as HTTP sees them, without their meaning. */
import { hash as digest } from 'node:crypto';
import type { Entrance } from '../../work/access/grant.ts';
import { Failure } from './refusals.ts';
import { Problem } from '../../base/problem.ts';
import { hasCsv } from './input.ts';
import { printXml } from '../../base/markup/xml.ts';
import type { Endpoint } from '../acting.ts';

export interface IncomingRequest {
  readonly method: string;
  /** path and query as the client wrote them */
  readonly url: string;
  readonly headers: Record<string, string | undefined>;
  readonly query: Record<string, string | string[] | undefined>;
  readonly params: Record<string, string>;
  readonly body: Buffer;
  /** `https://host` that the client called */
  readonly baseUrl: string;
  /** base URL of pages for people: PUBLIC_URL, or else the host that the client called */
  readonly pagesUrl: string;
  readonly ip: string;
  readonly requestId: string;
  /** the part of the service that was called; absent: the interface */
  readonly entrance?: Entrance;
  /** facts about the request that are known so far, for the log */
  readonly seen: { caller: string | null };
  /** Runs a long operation; the signal aborts when the client disconnects. */
  readonly whileHere: <T>(act: (gone: AbortSignal) => Promise<T>) => Promise<T>;
}

export interface Outgoing<Body extends string | Buffer | AsyncIterable<string | Uint8Array> = string> {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Body;
  /** why the service failed, for the log only */
  readonly cause?: unknown;
  /** code of a refusal */
  readonly code?: string;
}

const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const XML_TYPES = ['application/xml', 'text/xml'];

/** Returns the media types that the client accepts, in its order; null: any, or `format` decides. */
function accepted({ headers: { accept }, query }: IncomingRequest): string[] | null {
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || query.format !== undefined) return null;
  return accept
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';')[0].trim());
}

const isOurs = (type: string) => JSON_TYPES.includes(type) || XML_TYPES.includes(type);

/**
 * Returns true if the client prefers XML; the order of its list decides between equals. A browser, which lists both,
 * gets JSON.
 */
export function wantsXml(request: IncomingRequest): boolean {
  if (request.query.format !== undefined) return request.query.format === 'xml';
  const types = accepted(request);
  const first = types?.find(isOurs);
  return first !== undefined && XML_TYPES.includes(first) && !(types!.includes('*/*') && types!.includes('text/html'));
}

/** Returns true if the client names CSV before the other forms, for a response that is also a table. */
function wantsCsv(request: IncomingRequest): boolean {
  if (request.query.format !== undefined) return request.query.format === 'csv';
  return accepted(request)?.find((type) => isOurs(type) || type === CSV) === CSV;
}

const CSV = 'text/csv';
const EVENT_TYPES = ['text/event-stream', 'text/*'];

/**
 * Checks the Accept header. For an endpoint that sends events or documents, JSON or XML in it refers to the refusals.
 */
export function checkAcceptable(request: IncomingRequest, { returns }: Pick<Endpoint, 'returns'>): void {
  const others =
    returns.kind === 'stream'
      ? EVENT_TYPES
      : returns.kind === 'file'
        ? returns.types.flatMap(withRange)
        : hasCsv(returns)
          ? [CSV]
          : [];
  if (accepted(request)?.some((type) => isOurs(type) || others.includes(type)) === false)
    throw new Problem('not_acceptable', 'The service responds only with application/json or application/xml.');
}

const withRange = (type: string): string[] => [type, type.replace(/\/.*/, '/*')];

export const etag = (body: string | Buffer): string => `"${digest('sha1', body, 'base64url')}"`;

/** Returns a page of a list, with the URLs of the next and previous page. */
export function envelope(
  request: Pick<IncomingRequest, 'url' | 'baseUrl'>,
  query: Record<string, any>,
  count: number,
  results: unknown[],
) {
  const { page, page_size: size } = query;
  const [hasNext, hasPrevious] = [page * size < count, page > 1];
  // Read and printed once for both: a query can be long.
  const [address, parameters] = hasNext || hasPrevious ? calledWith(request, { page: '0' }) : ['', ''];
  const at = (n: number) => address + parameters.replace(PAGE, `$1page=${n}`);
  return { count, next: hasNext ? at(page + 1) : null, previous: hasPrevious ? at(page - 1) : null, results };
}

/** The page in a printed query, where it is once: an `&` or `=` of a value is escaped. */
const PAGE = /(^|&)page=0(?=&|$)/;

/** Returns the URL that was called, with these parameters replaced. */
export const addressWith = (
  request: Pick<IncomingRequest, 'url' | 'baseUrl'>,
  changed: Record<string, string>,
): string => calledWith(request, changed).join('');

function calledWith(
  { url, baseUrl }: Pick<IncomingRequest, 'url' | 'baseUrl'>,
  changed: Record<string, string>,
): [address: string, parameters: string] {
  const [path, search = ''] = url.split('?');
  const parameters = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changed)) parameters.set(name, value);
  return [`${baseUrl}${path}?`, String(parameters)];
}

export function refusal(
  problem: Problem,
  requestId: string,
  xml: boolean,
  headers: Record<string, string>,
  pagesUrl = '',
): Outgoing {
  const body = problem.body(requestId, pagesUrl);
  return {
    status: problem.status,
    headers: {
      ...headers,
      ...problem.headers,
      'content-type': xml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    },
    body: xml ? printXml(body) : JSON.stringify(body),
    cause: problem instanceof Failure ? problem.cause : undefined,
    code: problem.code,
  };
}

const VARY = 'Authorization, Accept, Accept-Language, Service-Provider-ID, Service-Request-Mode';

/** Returns a table. The properties that JSON has next to its rows are in headers. */
function csvOf(print: (value: any) => string, value: unknown, headers: Record<string, string>): Outgoing {
  const { next } = value as { next?: string | null };
  if (next) headers.link = `<${next}>; rel="next"`;
  headers.vary = VARY;
  headers['cache-control'] = 'private, no-cache';
  headers['content-type'] = 'text/csv; charset=utf-8';
  return { status: 200, headers, body: print(value) };
}

/** Returns the response to a successful call: status, version tag, form. */
export function answerOf(
  endpoint: Endpoint,
  request: IncomingRequest,
  dryRun: boolean,
  value: unknown,
  headers: Record<string, string>,
  xml: boolean,
): Outgoing {
  if (endpoint.returns.kind === 'none' && !dryRun) return { status: 204, headers, body: '' };
  const { returns } = endpoint;
  if (returns.kind === 'shape' && returns.csv && wantsCsv(request)) return csvOf(returns.csv, value, headers);
  const body = JSON.stringify(value);
  headers.vary = VARY;
  // Endpoints that belong to no business are about credentials.
  headers['cache-control'] = endpoint.belongsTo === 'installation' ? 'no-store' : 'private, no-cache';
  if (endpoint.returns.kind === 'one' && !dryRun) {
    headers.etag = etag(body);
    if (
      endpoint.method === 'GET' &&
      request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === headers.etag)
    ) {
      return { status: 304, headers, body: '' };
    }
    if (endpoint.status === 201)
      headers.location = `${request.baseUrl}/api/v2${endpoint.path}/${(value as { id?: number }).id ?? ''}`.replace(
        /\/$/,
        '',
      );
  }
  headers['content-type'] = xml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8';
  return { status: dryRun ? 200 : endpoint.status, headers, body: xml ? printXml(value) : body };
}
