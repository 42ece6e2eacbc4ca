/**
 * The business that a request is for, from its headers and URL: names that cells share with each other, the deciding
 * one first. Nothing is checked here, because the cell that receives the request checks everything. Pure.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { NameInAddress } from '../../kernel/api/cell-declarations.ts';

interface Head {
  readonly headers: IncomingHttpHeaders;
  /** path and query */
  readonly url: string;
  /** the requested host name, without a port, in lower case */
  readonly host: string;
}

export interface RoutingWords {
  /** alternative words for `service`, in lower case, as in `service-provider-id` */
  readonly headers: readonly string[];
  /** words before a bearer token */
  readonly credentials: readonly string[];
  /** host name of the installation itself; null: it has none of its own */
  readonly publicHost: string | null;
  /** declared by areas */
  readonly inPath: readonly NameInAddress[];
}

/** The words by the settings of the service. */
export const routingWords = (
  areas: readonly { readonly namesInPath?: readonly NameInAddress[] }[],
  {
    aliases,
    publicUrl,
  }: { readonly aliases: Pick<RoutingWords, 'headers' | 'credentials'>; readonly publicUrl: string | undefined },
): RoutingWords => ({
  ...aliases,
  publicHost: publicUrl === undefined ? null : new URL(publicUrl).hostname,
  inPath: areas.flatMap(({ namesInPath = [] }) => namesInPath),
});

const API = '/api/v2/';
/** Paths that belong to a process, or to no business. */
const OF_THE_PROCESS = /^\/(?:\.cells\/|healthz$|readyz$|metrics$)/;
const ID = /^[1-9]\d{0,14}$/;
const MAX_LENGTH = 8192;

const business = (id: unknown): string[] => (ID.test(String(id)) ? [`business:${id}`] : []);
const cell = (number: unknown): string[] => (/^\d{1,2}$/.test(String(number)) ? [`cell:${number}`] : []);
const client = (id: string | null | undefined): string[] => (id ? [`client:${id}`] : []);

export function namesIn({ headers, url, host }: Head, words: RoutingWords): string[] {
  const [path, query = ''] = url.split('?', 2);
  if (OF_THE_PROCESS.test(path)) return [];
  const asked = new URLSearchParams(query);
  const inPath = words.inPath.flatMap((name) => name(path, asked) ?? []);
  const said = path.startsWith(API)
    ? [
        ...ofCredential(headers.authorization, words),
        ...words.headers.flatMap((word) => business(headers[`${word}-provider-id`])),
        ...business(/^\/api\/v2\/providers\/([^/]+)/.exec(path)?.[1]),
        // After the business in the request: an application may work at businesses other than its own.
        ...business(claimsIn(headers.authorization, words).business),
        ...client(asked.get('client_id')),
        ...inPath,
      ]
    : inPath;
  return [...said, ...ofHost(host, words), ...ofClaim(headers.authorization, words), ...ofSession(headers.cookie)];
}

/** Returns true if the body may name the application: for token requests, nothing else has to. */
export const mayNameInBody = (method: string, url: string): boolean =>
  method === 'POST' && url.startsWith(`${API}auth/`);

/** Returns the application that a body names by its client id or by its key for direct authentication. */
export function namesInBody(body: string, type: string | undefined): string[] {
  const sent = type?.startsWith('application/json') ? jsonOf(body) : Object.fromEntries(new URLSearchParams(body));
  const { client_id: id, direct_auth_key: key } = sent as Readonly<Record<string, unknown>>;
  return [
    ...(typeof id === 'string' ? client(id) : []),
    ...(typeof key === 'string' && key !== '' ? [nameOfSecret('key', key)] : []),
  ];
}

/**
 * Returns the cell in the session's cookie, which names the cell that began it: see
 * areas/people/identity/log-in/session-mark.ts.
 */
const ofSession = (cookies = ''): string[] =>
  cell(/(?:^|;\s*)(?:__Host-)?rollcall_session=(?:kept\.)?rcs(\d{1,2})_/.exec(cookies)?.[1]);

/** Returns the host name of a business. An IP address, or a name without a dot, belongs to the machine. */
const ofHost = (host: string, { publicHost }: RoutingWords): string[] =>
  host === publicHost || /^[\d.]+$|^\[|^[^.]*$/.test(host) ? [] : [`host:${host}`];

function ofCredential(authorization: string | undefined, words: RoutingWords): string[] {
  const token = bearerOf(authorization, words);
  if (token !== null) return isSigned(token) ? [] : [nameOfSecret('token', token)];
  const [, basic] = /^Basic ([A-Za-z0-9+/=]{1,2048})$/i.exec(authorization ?? '') ?? [];
  // By RFC 6749, both halves are form-encoded.
  return basic === undefined ? [] : client(decode(Buffer.from(basic, 'base64').toString().split(':', 1)[0]));
}

/**
 * Returns the cell of a token. One that is valid everywhere is checked by the cell that issued it, unless the request
 * is for a business.
 */
const ofClaim = (authorization: string | undefined, words: RoutingWords): string[] =>
  cell(claimsIn(authorization, words).cell);

/** Returns the name of a secret whose hash is in the database; the name has too little of the hash to reveal it. */
export const nameOfSecret = (kind: 'token' | 'key', secret: string): string =>
  `${kind}:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;

function bearerOf(authorization: string | undefined, { credentials }: RoutingWords): string | null {
  if (authorization === undefined || authorization.length > MAX_LENGTH) return null;
  const [word, token] = authorization.split(' ', 2);
  return token && credentials.some((one) => one.toLowerCase() === word.toLowerCase()) ? token : null;
}

const isSigned = (token: string): boolean => token.split('.').length === 3;

function claimsIn(
  authorization: string | undefined,
  words: RoutingWords,
): { readonly business?: unknown; readonly cell?: unknown } {
  const token = bearerOf(authorization, words);
  return token !== null && isSigned(token) ? jsonOf(Buffer.from(token.split('.')[1], 'base64url').toString()) : {};
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
