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
  /** of the service, as programs know it: without PUBLIC_URL, it can differ from the address of this page */
  readonly address: string;
}

/** `elsewhere`: the service gives no token to a page at this address; `rejected`: logging in has not helped */
type State = 'in' | 'out' | 'someone else' | 'elsewhere' | 'rejected';

/** A token is renewed before it expires, so that it does not expire during a call. */
const SPARE_MS = 30_000;
const RETRY_MS = 3000;
/** A person who comes back from the log-in sooner did not see its form: they are logged in already. */
const SEEN_MS = 5000;
const SENT = 'rollcall.sent_to_log_in';

let held: { readonly token: string; readonly until: number } | null = null;
let user: number | null = null;
let asking: Promise<string> | null = null;
let state: State = 'in';
let address: string = location.origin;
let ownAddress: string | null = null;
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

/** Returns the address of the service for programs that connect to it, without a trailing slash. */
export const serviceAddress = (): string => address;

/** Returns the address at which the dashboard can be used, if it can't be here; null: the service doesn't know it. */
export const dashboardAddress = (): string | null => ownAddress;

/** Returns a valid token. Waits while nobody is logged in. `instead`: a token that was refused */
export function token(instead?: string): Promise<string> {
  if (held && held.token !== instead && held.until > Date.now()) return Promise.resolve(held.token);
  return (asking ??= ask().finally(() => (asking = null)));
}

async function ask(): Promise<string> {
  for (;;) {
    const given = await once();
    if (given === 'elsewhere') become('elsewhere');
    else if (given) {
      sessionStorage.removeItem(SENT);
      address = given.address;
      if (user !== null && user !== given.user) become('someone else');
      else {
        user = given.user;
        held = { token: given.token, until: Date.now() + given.expires_in * 1000 - SPARE_MS };
        become('in');
        return held.token;
      }
    } else if (user !== null) become('out');
    else if (Date.now() - Number(sessionStorage.getItem(SENT)) < SEEN_MS) become('rejected');
    else {
      sessionStorage.setItem(SENT, String(Date.now()));
      location.replace(logInHref());
    }
    // Asking again from the same page gives the same response.
    if (state === 'elsewhere' || state === 'rejected') return new Promise<never>(() => {});
    await returned();
  }
}

/** Requests a token; null if nobody is logged in. */
async function once(): Promise<Given | 'elsewhere' | null> {
  const response = await fetch('/dashboard/token', { method: 'POST' });
  if (response.ok) return (await response.json()) as Given;
  if (response.status === 401) return null;
  if (response.status === 403) {
    const { address: own } = (await response.json()) as { readonly address: string | null };
    ownAddress = own && `${own}/dashboard`;
    return 'elsewhere';
  }
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
