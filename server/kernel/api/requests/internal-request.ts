/** An internal call of an endpoint, as the equivalent request. */
import type { Asked } from '../calls.ts';
import type { Endpoint } from '../acting.ts';
import type { IncomingRequest } from './exchange.ts';
import type { Tenant } from '../../work/unit/work.ts';
import type { Viewer } from '../../work/access/viewer.ts';

/** A person on whose behalf the program calls, already identified: for example, the user of a page. */
export interface Caller {
  readonly viewer: Viewer;
  readonly tenant: Tenant;
  readonly now: number;
  readonly requestId: string;
  /** base URL that they called, and base URL of pages for people */
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly ip: string;
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
    // An unknown name is a mistake in our code, and must not be ignored.
    headers: { prefer: 'handling=strict' },
    query: texts(query),
    params: named,
    body: Buffer.alloc(0),
    baseUrl,
    pagesUrl,
    ip,
    requestId,
    seen: { caller: null },
    // Internal callers don't disconnect.
    whileHere: (act) => act(new AbortController().signal),
  };
}
