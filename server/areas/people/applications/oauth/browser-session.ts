/**
 * The person at the browser. Our own session is the only source: the OpenID provider keeps none, and gets the person
 * who is logged in with each request, so that logging out there also ends what an application can get without asking
 * here.
 */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

export interface Person {
  readonly userId: number;
  readonly secondFactor: boolean;
  /** epoch milliseconds */
  readonly authenticatedAt: number;
}

/** Returns the authentication methods of the log-in (RFC 8176). */
export const methodsOf = (person: Person): string[] => (person.secondFactor ? ['pwd', 'otp', 'mfa'] : ['pwd']);
export const usedSecondFactor = (amr: readonly string[] | undefined): boolean => amr?.includes('mfa') ?? false;

type Sessions = {
  get(ctx: KoaContextWithOIDC): Promise<object>;
  instantiate(payload?: object): object;
  findByUid(uid: string): Promise<undefined>;
};

/**
 * Makes the provider use our session instead of keeping one. `now` is the service's clock; the provider reads the
 * machine's.
 */
export function useOwnSessions(
  provider: Provider,
  personAt: (ctx: KoaContextWithOIDC) => Promise<Person | null>,
  now: () => number,
): void {
  const Session = provider.Session as unknown as Sessions;
  Session.get = async (ctx) => {
    const person = await personAt(ctx);
    const known = person && {
      accountId: String(person.userId),
      // One id for all sessions of a person: logging in again creates a new session, and must not lose the request.
      uid: `user-${person.userId}`,
      loginTs: Math.floor((Date.now() - now() + person.authenticatedAt) / 1000),
      amr: methodsOf(person),
    };
    const session = known ? Session.instantiate(known) : Session.instantiate();
    // An ended session is neither stored nor given a cookie.
    Object.defineProperty(session, 'destroyed', { value: true });
    (ctx.oidc as unknown as { entity(name: string, value: object): void }).entity('Session', session);
    return session;
  };
  Session.findByUid = async () => undefined;
}
