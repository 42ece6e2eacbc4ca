/**
 * Who sits at the browser. Our own session is the only truth: the OpenID provider keeps none, it is told at each
 * request who is logged in, so that a log-out there ends what an application can get without asking here.
 */
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

export interface Person {
  readonly userId: number;
  readonly secondFactor: boolean;
  /** epoch ms */
  readonly authenticatedAt: number;
}

/** The person of a session's secret, if the session is alive. */
export type SessionOf = (secret: string) => Promise<Person | null>;

/** RFC 8176: what the log-in was proved with. */
export const methodsOf = (person: Person): string[] => (person.secondFactor ? ['pwd', 'otp', 'mfa'] : ['pwd']);
export const usedSecondFactor = (amr: readonly string[] | undefined): boolean => amr?.includes('mfa') ?? false;

type Sessions = {
  get(ctx: KoaContextWithOIDC): Promise<object>;
  instantiate(payload?: object): object;
  findByUid(uid: string): Promise<undefined>;
};

/**
 * Lets the provider look at our session instead of keeping one. `now` is the service's clock; the provider reads the
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
      // The same for every session of a person: logging in anew gives another session, and must not lose the request.
      uid: `user-${person.userId}`,
      loginTs: Math.floor((Date.now() - now() + person.authenticatedAt) / 1000),
      amr: methodsOf(person),
    };
    const session = known ? Session.instantiate(known) : Session.instantiate();
    // What is over is neither stored nor given a cookie.
    Object.defineProperty(session, 'destroyed', { value: true });
    (ctx.oidc as unknown as { entity(name: string, value: object): void }).entity('Session', session);
    return session;
  };
  Session.findByUid = async () => undefined;
}
