/**
 * The access token with which the dashboard calls the interface. The browser session issues it, and it is valid for
 * some minutes. If the session has ended, calls wait: the person logs in again in another tab, and no input is lost.
 */
import { locale } from '../words/language.ts';

interface Given {
  readonly token: string;
  /** in seconds */
  readonly expires_in: number;
  /** id of its user */
  readonly user: number;
}

type State = 'in' | 'out' | 'someone else';

/** A token is renewed before it expires, so that it does not expire during a call. */
const SPARE_MS = 30_000;
const RETRY_MS = 3000;

let held: { readonly token: string; readonly until: number } | null = null;
let user: number | null = null;
let asking: Promise<string> | null = null;
let state: State = 'in';
const listeners = new Set<() => void>();

export const session = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  state: (): State => state,
};

function become(next: State): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Returns the address of the log-in page, which returns the person to the current page. */
export const logInHref = (): string => `/log-in?return_to=${encodeURIComponent(location.pathname + location.search)}`;

/** Returns a valid token. Waits while nobody is logged in. `instead`: a token that was refused */
export function token(instead?: string): Promise<string> {
  if (held && held.token !== instead && held.until > Date.now()) return Promise.resolve(held.token);
  return (asking ??= ask().finally(() => (asking = null)));
}

async function ask(): Promise<string> {
  for (;;) {
    const given = await once();
    if (given) {
      if (user !== null && user !== given.user) become('someone else');
      else {
        user = given.user;
        held = { token: given.token, until: Date.now() + given.expires_in * 1000 - SPARE_MS };
        become('in');
        return held.token;
      }
    } else if (user === null) {
      location.replace(logInHref());
    } else become('out');
    await returned();
  }
}

/** Requests a token; null if nobody is logged in. */
async function once(): Promise<Given | null> {
  const response = await fetch('/dashboard/token', { method: 'POST' });
  if (response.ok) return (await response.json()) as Given;
  if (response.status === 401) return null;
  throw new TypeError(`The service answered ${response.status}.`);
}

/** Resolves when the person returns to this tab, or after some seconds. */
const returned = (): Promise<void> =>
  new Promise((done) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener('focus', go);
      done();
    };
    const timer = setTimeout(go, RETRY_MS);
    addEventListener('focus', go);
  });

/**
 * Requests texts in the language of the dashboard, which may differ from that of the browser, and retries a request
 * that was refused because its token had expired, with a new token.
 */
export const fetchWithToken: typeof fetch = async (address, init) => {
  const headers = new Headers(init?.headers);
  headers.set('accept-language', locale);
  const response = await fetch(address, { ...init, headers });
  if (response.status !== 401) return response;
  const refused = headers.get('authorization')?.replace('Bearer ', '');
  headers.set('authorization', `Bearer ${await token(refused)}`);
  return fetch(address, { ...init, headers });
};
