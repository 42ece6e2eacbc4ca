/** Sends a request, and retries until the response is one that a retry would not change. */
import { Refused, Unreachable, type Problem } from './refused.ts';

export interface Settings {
  /** address of the service, such as `https://book.example.com` */
  readonly baseUrl: string;
  /** a machine token, or the access token of a person; if omitted, only public data is visible */
  readonly token?: string | (() => string | Promise<string>);
  /** the business, for requests without a credential and for credentials that reach several businesses */
  readonly provider?: number;
  /** for a person who is both staff and customer */
  readonly mode?: 'provider' | 'customer';
  /** number of retries; 3 by default */
  readonly retries?: number;
  /** timeout of one attempt in milliseconds; 60,000 by default */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface Sent {
  readonly method: string;
  /** below `/api/v2`, including the query */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal;
  /** true for a stream, which ends only when the caller ends it */
  readonly endless?: boolean;
}

const RETRIES = 3;
const TIMEOUT_MS = 60_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** Statuses after which a retry may help. A write has an idempotency key, so that it takes effect once. */
const PASSING = new Set([429, 500, 502, 503, 504]);
const PASSING_CODES = new Set(['idempotency_key_in_use']);

/** @throws Refused, Unreachable, or the reason of an aborted signal */
export async function send(settings: Settings, sent: Sent): Promise<Response> {
  const { retries = RETRIES } = settings;
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(settings, sent);
    if (outcome instanceof Response) return outcome;
    if (!outcome.passing || attempt >= retries) throw outcome.error;
    await wait(outcome.after ?? waitOf(attempt), sent.signal);
  }
}

interface Failed {
  readonly error: Error;
  readonly passing: boolean;
  /** delay in milliseconds that the service asks for */
  readonly after?: number;
}

async function tryOnce(settings: Settings, sent: Sent): Promise<Response | Failed> {
  const { baseUrl, fetch: ask = fetch, timeoutMs = TIMEOUT_MS } = settings;
  const signals = [sent.signal, sent.endless ? undefined : AbortSignal.timeout(timeoutMs)].filter(
    (one) => one !== undefined,
  );
  let response: Response;
  try {
    response = await ask(`${baseUrl.replace(/\/+$/, '')}/api/v2${sent.path}`, {
      method: sent.method,
      headers: { accept: 'application/json', ...(await ofSettings(settings)), ...sent.headers },
      ...(sent.body !== undefined && { body: sent.body }),
      signal: AbortSignal.any(signals),
      // A redirect would forward the credential.
      redirect: 'error',
    });
  } catch (cause) {
    sent.signal?.throwIfAborted();
    return {
      error: new Unreachable(`No answer to ${sent.method} ${sent.path.split('?')[0]}`, { cause }),
      passing: true,
    };
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  const seconds = Number(response.headers.get('retry-after'));
  return {
    error: new Refused(response.status, problem),
    passing: PASSING.has(response.status) || PASSING_CODES.has(problem.code),
    ...(seconds > 0 && { after: Math.min(seconds * 1000, LONGEST_WAIT_MS) }),
  };
}

async function ofSettings({ token, provider, mode }: Settings): Promise<Record<string, string>> {
  const credential = typeof token === 'function' ? await token() : token;
  return {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(provider !== undefined && { 'service-provider-id': String(provider) }),
    ...(mode !== undefined && { 'service-request-mode': mode }),
  };
}

/** Parses the problem. A proxy between client and service may respond in a format of its own. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '');
  try {
    const said = JSON.parse(text) as Problem;
    if (typeof said.code === 'string') return said;
  } catch {
    // not a problem of the service
  }
  return {
    code: 'unexpected_answer',
    message: `The answer has status ${response.status} and is not from the service.`,
    type: 'unexpected',
    field_errors: {},
    request_id: response.headers.get('request-id') ?? '',
  };
}

/** Returns the delay before a retry: exponential back-off with jitter, so that clients don't retry at the same time. */
const waitOf = (attempt: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);

export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', over);
      resolve();
    }, ms);
    if (signal?.aborted) over();
    else signal?.addEventListener('abort', over, { once: true });
  });
