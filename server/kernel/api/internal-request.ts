/** What the program asks of an endpoint, written as the request that says the same. */
import type { Endpoint } from './acting.ts';
import type { IncomingRequest } from './exchange.ts';
import type { Tenant } from '../work/unit/work.ts';
import type { Viewer } from '../work/access/viewer.ts';

/** Somebody whom the program calls for, once it is known who they are: the person before a page. */
export interface Caller {
  readonly viewer: Viewer;
  readonly tenant: Tenant;
  readonly now: number;
  readonly requestId: string;
  /** address that they called, and where pages for people are */
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly ip: string;
}

export interface Asked {
  /** by the names between the braces of the path */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** as JSON has it */
  readonly body?: Readonly<Record<string, unknown>>;
  /** what it writes will be undone by whoever asks, so nothing is kept beside it: no audit, no feed item, no job */
  readonly trial?: boolean;
}

const texts = (values: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

export function requestOf(
  { method, path }: Endpoint,
  { requestId, baseUrl, pagesUrl, ip }: Caller,
  { params, query }: Asked,
): IncomingRequest {
  const named = texts(params);
  return {
    method,
    url: `/api/v2${path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ''))}`,
    // A name that the endpoint does not know is a mistake of ours, and not to be passed over.
    headers: { prefer: 'handling=strict' },
    query: texts(query),
    params: named,
    body: Buffer.alloc(0),
    baseUrl,
    pagesUrl,
    ip,
    requestId,
    seen: { caller: null },
    // Within this process, nobody goes.
    whileHere: (act) => act(new AbortController().signal),
  };
}
