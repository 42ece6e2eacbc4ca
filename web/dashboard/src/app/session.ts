/**
 * The token with which the dashboard calls the interface. It comes from the session of the browser and lasts for minutes. If
 * the session has ended, calls wait: the person logs in again in another tab, and nothing that was typed is lost.
 */

interface Given {
  readonly token: string;
  /** seconds */
  readonly expires_in: number;
  /** whose it is */
  readonly user: number;
}

type State = 'in' | 'out' | 'someone else';

/** A token is renewed before it ends, so that no call begins with one that ends on the way. */
const SPARE_MS = 30_000;
const AGAIN_MS = 3000;

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

/** Where the person logs in, and comes back to where they are. */
export const logInHref = (): string => `/log-in?return_to=${encodeURIComponent(location.pathname + location.search)}`;

/** A token that works. Waits as long as nobody is logged in. `instead`: one that was refused. */
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

/** Null: nobody is logged in. */
async function once(): Promise<Given | null> {
  const response = await fetch('/dashboard/token', { method: 'POST' });
  if (response.ok) return (await response.json()) as Given;
  if (response.status === 401) return null;
  throw new TypeError(`The service answered ${response.status}.`);
}

/** The person looks at this tab again, or some seconds have passed. */
const returned = (): Promise<void> =>
  new Promise((done) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener('focus', go);
      done();
    };
    const timer = setTimeout(go, AGAIN_MS);
    addEventListener('focus', go);
  });

/** A request that is refused because its token has ended is made again with another. */
export const fetchWithToken: typeof fetch = async (address, init) => {
  const response = await fetch(address, init);
  if (response.status !== 401) return response;
  const headers = new Headers(init?.headers);
  const refused = headers.get('authorization')?.replace('Bearer ', '');
  headers.set('authorization', `Bearer ${await token(refused)}`);
  return fetch(address, { ...init, headers });
};
