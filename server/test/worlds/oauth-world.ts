/** People with browsers, and applications that request access, for tests of log-ins by applications. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Browser, type Seen } from '../pages/cookie-browser.ts';
import { createApplication, type NewApplication } from '../../areas/people/applications/index.ts';
import { createUser, startSession } from '../../areas/people/identity/index.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import type { Person } from '../../areas/people/applications/oauth/browser-session.ts';
import type { Transaction } from '../../kernel/base/db/database.ts';
import type { World } from '../world.ts';

export const CALLBACK = 'https://app.example.com/callback';

/** Parameters of a request; null omits one. */
export type Parameters = Record<string, string | null>;

export interface TestApplication {
  readonly id: number;
  readonly clientId: string;
  /** null for a public client */
  readonly secret: string | null;
}

export async function newApplication(
  world: World,
  values: Partial<NewApplication> = {},
  providerId = world.harbour,
): Promise<TestApplication> {
  return world.work(providerId, async (work) => {
    const id = await createApplication(work, {
      name: 'Rowing Diary',
      domain: 'app.example.com',
      scopes: ['read', 'read_write'],
      allowed_callback_urls: [CALLBACK],
      ...values,
    });
    const row = await work.tx.one<{ client_id: string }>(
      sql`SELECT client_id FROM application WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    return { id, clientId: row!.client_id, secret: (work.revealed?.client_secret as string | undefined) ?? null };
  });
}

export interface TestPerson {
  readonly userId: number;
  readonly email: string;
  readonly browser: Browser;
}

/** Creates an account with its own browser, not yet logged in. */
export async function newPerson(world: World): Promise<TestPerson> {
  const email = `${randomUUID().slice(0, 8)}@example.com`;
  const userId = await across(world, async (tx) => {
    const id = await createUser(tx, { email, password: `correct ${randomUUID()}` });
    await tx.run(
      sql`UPDATE user_account SET first_name = 'Ada', last_name = 'Byron', email_confirmed_at = now() WHERE id = ${id}`,
    );
    return id;
  });
  return { userId, email, browser: new Browser() };
}

export const across = <T>(world: World, act: (tx: Transaction) => Promise<T>): Promise<T> =>
  world.app.db.acrossTenants('a test looks at what belongs to no business', act);

/** Starts a session in the person's browser, as the log-in page does. */
export async function logIn(
  world: World,
  { userId, browser }: TestPerson,
  { secondFactor = false } = {},
): Promise<Person> {
  const { session, token } = await across(world, (tx) =>
    startSession(tx, { userId, secondFactor, agent: 'test', now: world.now }),
  );
  browser.setCookie('rollcall_session', token);
  return session;
}

/** Ends every session of the person, as "log out everywhere" does. */
export const endSessions = (world: World, { userId }: TestPerson): Promise<number> =>
  across(world, (tx) => tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`));

export const verifier = (): string => randomBytes(32).toString('base64url');
export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Returns the address of an authorization request; null omits a parameter. */
export function authorizeUrl(world: World, application: TestApplication, parameters: Parameters = {}): URL {
  const url = new URL(`${world.url}/api/v2/auth/oauth/authorize`);
  const all = {
    response_type: 'code',
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    scope: 'openid read',
    state: 'st',
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) if (value !== null) url.searchParams.set(name, value);
  return url;
}

/** Returns the id of the authorization request that a page belongs to: the end of its address. */
export const authorizationRequestId = (seen: Seen): string => pageOf(seen).split('/')[4];
export const pageOf = (seen: Seen): string => new URL(seen.url).pathname;

/** Completes log-in and consent if the browser is asked for them, up to the redirect back to the application. */
export async function agree(
  world: World,
  person: TestPerson,
  address: URL,
  options: { secondFactor?: boolean } = {},
): Promise<URL> {
  let seen = await person.browser.go(address);
  for (let pages = 0; pages < 3 && pageOf(seen).startsWith('/account/'); pages++) {
    const interaction = authorizationRequestId(seen);
    const { interactions } = world.app.oauth;
    const session = await logIn(world, person, options);
    const next = pageOf(seen).includes('/continue/')
      ? await interactions.finishLogIn(interaction, session)
      : await interactions.finishConsent(interaction, session);
    if (next === null) throw new Error('the request was over');
    seen = await person.browser.go(next);
  }
  return new URL(seen.url);
}

/** Returns the response of the token endpoint; null omits a parameter. */
export async function exchange(
  world: World,
  application: TestApplication,
  code: string | null,
  parameters: Parameters = {},
  headers: Record<string, string> = {},
) {
  const all = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: application.clientId,
    client_secret: application.secret,
    ...parameters,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const response = await fetch(`${world.url}/api/v2/auth/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(given),
    headers,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, any> };
}

export interface Held {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly expires_in: number;
}

/** Returns tokens of a person for an application, obtained through the whole flow. */
export async function tokensFor(
  world: World,
  application: TestApplication,
  person: TestPerson,
  parameters: Parameters = {},
  options: { secondFactor?: boolean } = {},
): Promise<Held> {
  const proof = verifier();
  const answer = await agree(
    world,
    person,
    authorizeUrl(world, application, {
      code_challenge: challengeOf(proof),
      code_challenge_method: 'S256',
      ...parameters,
    }),
    options,
  );
  const code = answer.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${answer.href}`);
  const { status, body } = await exchange(world, application, code, { code_verifier: proof });
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return body as Held;
}

export const refreshWith = (
  world: World,
  { secret }: Pick<TestApplication, 'secret'>,
  refresh_token: string,
  more: Record<string, unknown> = {},
) =>
  world.post('/auth/refresh_access_token', {
    provider: null,
    body: { refresh_token, ...(secret !== null && { client_secret: secret }), ...more },
  });
