/**
 * Stripe's library for one business. Each use creates a client from the settings of that business alone: it takes a
 * fraction of a millisecond, and no key can end up in another business's client.
 */
import { apiUrl } from './settings.ts';
import type { Outbound } from '../../../../kernel/base/http-out/outbound.ts';
import type { ProcessorContext } from '../processor.ts';
import type Stripe from 'stripe';

/** It determines the shape of responses, so it only changes together with the library and this code. */
const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';
/** For each attempt; a bank may take its time. */
const TIMEOUT_MS = 20_000;
/** For requests without a response, and for those that Stripe asks to repeat; always with the same key. */
const RETRIES = 2;
/** For all requests of one client together: somebody waits for them, and after a minute another process may ask. */
const WHOLE_MS = 45_000;
/** Enough for a list of a hundred payments. */
const MAX_READ_BYTES = 1_000_000;

/** Loads the library at its first use: it takes 20 MB, and most installations never need it. */
export const library = async (): Promise<typeof Stripe> => (await import('stripe')).default;

export async function stripeOf(
  { settings, outbound, withinMs }: Pick<ProcessorContext, 'settings' | 'outbound' | 'withinMs'>,
  wholeMs = withinMs ?? WHOLE_MS,
): Promise<Stripe> {
  const { protocol, hostname, port } = apiUrl(settings);
  return new (await library())(settings.secret_key, {
    apiVersion: API_VERSION,
    host: hostname,
    port: port || (protocol === 'https:' ? 443 : 80),
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    // Also prevents the library from writing an identifier of this machine to a file.
    telemetry: false,
    appInfo: { name: 'Rollcall' },
    httpClient: guarded(outbound, performance.now() + wholeMs),
  });
}

/** Sends the library's requests through our guarded client, which can't reach internal addresses. */
const guarded = (outbound: Outbound, until: number): Stripe.HttpClient => ({
  getClientName: () => 'guarded',
  async makeRequest(host, port, path, method, headers, body, protocol, timeoutMs) {
    if (method !== 'GET' && method !== 'POST') throw new Error(`no request to Stripe is a ${method}`);
    const answer = await outbound.send({
      url: `${protocol}://${host}:${port}${path}`,
      method,
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => name.toLowerCase() !== 'content-length')
          .map(([name, value]) => [name, String(value)]),
      ),
      ...(method === 'POST' && { body }),
      timeoutMs: Math.max(Math.min(timeoutMs, until - performance.now()), 0),
      mostRead: MAX_READ_BYTES,
    });
    return {
      getStatusCode: () => answer.status,
      getHeaders: () => answer.headers,
      getRawResponse: () => ({ headers: answer.headers }),
      toStream: () => answer.body,
      toJSON: async () => JSON.parse(answer.body),
    };
  },
});

/** Returns true if the response is a replay of the first one with this key: the object may have changed since. */
export const isReplay = (answered: {
  readonly lastResponse: { readonly headers?: Readonly<Record<string, string>> };
}): boolean => answered.lastResponse.headers?.['idempotent-replayed'] === 'true';
