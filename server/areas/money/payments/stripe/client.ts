/**
 * Stripe's library, as one business uses it. A client is made for each use, from the settings of that business alone: it
 * takes a fraction of a millisecond, and no key can end up where it does not belong.
 */
import { apiUrl } from './settings.ts';
import type { Outbound } from '../../../../kernel/base/http-out/outbound.ts';
import type { ProcessorContext } from '../processor.ts';
import type Stripe from 'stripe';

/** What the answers look like depends on it, so it changes with the library and this code, and never without them. */
const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';
/** For each try; a bank may take its time. */
const TIMEOUT_MS = 20_000;
/** Of requests without an answer, and of those that Stripe asks to repeat; always with the same key. */
const RETRIES = 2;
/** For everything that is asked with one client: somebody waits for it, and after a minute somebody else may ask. */
const WHOLE_MS = 45_000;
/** A list of a hundred payments fits. */
const MOST_READ = 1_000_000;

/** The library is loaded when it is first needed: it takes 20 MB, and most installations never do. */
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
    // Also keeps the library from writing an identifier of this machine into a file.
    telemetry: false,
    appInfo: { name: 'Rollcall' },
    httpClient: guarded(outbound, performance.now() + wholeMs),
  });
}

/** The library's requests leave by the one exit of the house, which does not lead inside. */
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
      mostRead: MOST_READ,
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

/** The answer is the one that was given when the key was first used: what it shows may have changed since. */
export const isReplay = (answered: {
  readonly lastResponse: { readonly headers?: Readonly<Record<string, string>> };
}): boolean => answered.lastResponse.headers?.['idempotent-replayed'] === 'true';
