/** From a credential and two headers to the viewer of a request. */
import { Problem } from '../../base/problem.ts';
import type { Permission } from './permission.ts';
import { viewer, type Mode, type Viewer } from './viewer.ts';

export type Profile =
  | {
      readonly mode: 'provider';
      readonly providerId: number;
      readonly staffId: number | null;
      readonly permissions: readonly Permission[];
      /** venues at which the permissions apply; null: everywhere. A super admin is never limited. */
      readonly venues: readonly number[] | null;
    }
  | { readonly mode: 'customer'; readonly providerId: number; readonly customerId: number };

/** The facts, other than the account, that determine who a person is at a business. */
export interface Seen {
  /** they logged in with more than a password */
  readonly secondFactor: boolean;
  /** null: as staff and as a customer */
  readonly mode: Profile['mode'] | null;
}

/** The part of the service that a credential is valid for: the interface, or the endpoint for assistants. */
export type Entrance = 'interface' | 'mcp' | 'mcp/read';

/** The reach of a credential. */
export interface Grant {
  /** name of the credential for limits, idempotency and audit; never the secret */
  readonly credential: string;
  /** a person may call any business as a visitor; a machine only its own */
  readonly kind: 'machine' | 'person';
  readonly profiles: readonly Profile[];
  /** the person behind it */
  readonly userId: number | null;
  /** for other cells, at whose businesses the person may have profiles too; null: valid for no such business */
  readonly seen: Seen | null;
  /** the application that the person uses, and its name */
  readonly applicationId: number | null;
  readonly applicationName: string | null;
  /** businesses that it may access; null: every one */
  readonly reach: readonly number[] | null;
  /** false: it is read-only */
  readonly writes: boolean;
  /** the scopes that a person granted an application; empty for credentials without scopes */
  readonly scopes: readonly string[];
  /** people who run the installation; they see none of a business's data */
  readonly operator: boolean;
  /** the only part of the service that accepts it; null: every part */
  readonly entrance: Entrance | null;
}

/** Returns a plain grant with these properties, for a person or a machine. */
export const grantOf = (given: Pick<Grant, 'credential' | 'kind' | 'profiles'> & Partial<Grant>): Grant => ({
  userId: null,
  seen: null,
  applicationId: null,
  applicationName: null,
  reach: null,
  writes: true,
  scopes: [],
  operator: false,
  entrance: null,
  ...given,
});

/** A valid token. */
export interface Found {
  readonly grant: Grant;
  /** subjects whose changes end this check, as `access_change` names them: `user:12`, `machine_token:7` */
  readonly subjects: readonly string[];
  /** expiry of the token, epoch ms */
  readonly until: number;
  /** called for every request that uses it */
  readonly onUse?: () => void;
  /** this process is not notified of its end, so it is never cached but looked up for each request */
  readonly once?: boolean;
}

/** A check of bearer tokens: returns null if a token is not of its kind, or not valid. */
export type Authenticator = (token: string) => Promise<Found | null>;

const BEARER = { 'www-authenticate': 'Bearer' };

/** Returns the token of an Authorization header; null without a header. Throws a refusal if its form is wrong. */
export function bearerToken(header: string | undefined, prefixes: readonly string[] = ['Bearer']): string | null {
  if (header === undefined) return null;
  const [prefix, token, ...more] = header.split(' ');
  if (!prefixes.includes(prefix) || !token || /\s/.test(token) || more.length > 0) {
    throw new Problem('authentication_failed', 'Incorrect authentication credentials.', {}, BEARER);
  }
  return token;
}

export const tokenRefused = (): Problem =>
  new Problem('authentication_failed', 'The token you provided is expired or invalid.', {}, BEARER);

export const credentialMissing = (): Problem =>
  new Problem('not_authenticated', 'Authentication credentials were not provided.', {}, BEARER);

const LARGEST_ID = 9_000_000_000_000_000;

/** Returns the number in Service-Provider-ID; null if there is none. */
export function providerHeader(value: string | undefined): number | null {
  if (value === undefined) return null;
  const n = /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (n < 1 || n > LARGEST_ID)
    throw new Problem('provider_header_invalid', 'The header Service-Provider-ID must be a number.');
  return n;
}

/** Returns the mode in Service-Request-Mode; null if there is none or it is empty. */
export function modeHeader(value: string | undefined): 'provider' | 'customer' | null {
  if (value === undefined || value === '') return null;
  if (value !== 'provider' && value !== 'customer') {
    throw new Problem('mode_header_invalid', 'The header Service-Request-Mode must be "provider" or "customer".');
  }
  return value;
}

const headerMissing = (why: string): Problem =>
  new Problem('provider_header_missing', `${why} Name the business with the header Service-Provider-ID.`);

/** Determines business and mode. `exists` checks the business that a visitor names. */
export async function resolveViewer(
  grant: Grant | null,
  named: number | null,
  mode: 'provider' | 'customer' | null,
  exists: (providerId: number) => Promise<boolean>,
): Promise<Viewer> {
  if (!grant) {
    if (named === null) throw headerMissing('A request without a credential doesn’t say which business it is for.');
    if (!(await exists(named))) throw outOfReach();
    return stranger(named);
  }
  if (grant.operator) return operatorAt(grant, named, exists);
  const reached = [...new Set(grant.profiles.map((p) => p.providerId))];
  // An application's users are visitors at its business until they sign up there.
  if (reached.length === 0 && grant.reach?.length === 1) reached.push(grant.reach[0]);
  if (named === null && reached.length > 1) throw headerMissing('The credential gives access to several businesses.');
  const providerId = named ?? reached[0];
  if (providerId === undefined) throw headerMissing('The credential belongs to no business.');
  if (grant.reach && !grant.reach.includes(providerId)) throw outOfReach();
  const here = grant.profiles.filter((p) => p.providerId === providerId);
  if (here.length === 0) {
    if (grant.kind === 'machine' || !(await exists(providerId))) throw outOfReach();
    if (mode) throw modeNotAllowed(mode);
    return stranger(providerId, grant);
  }
  return ofProfile(pick(here, mode), grant);
}

/** Returns the viewer for a list of the businesses that a credential reaches, in this mode if one is named. */
export function viewerOfAll(grant: Grant, mode: 'provider' | 'customer' | null): Viewer {
  const profiles = grant.profiles.filter(
    (p) => (mode === null || p.mode === mode) && (!grant.reach || grant.reach.includes(p.providerId)),
  );
  if (mode !== null && profiles.length === 0) throw modeNotAllowed(mode);
  const nobody = stranger(0, grant);
  const reached = new Set(profiles.map((p) => p.providerId));
  if (reached.size === 0 && grant.reach?.length === 1) reached.add(grant.reach[0]);
  return { ...nobody, reached: [...reached], key: `${nobody.key}:reached` };
}

const outOfReach = () =>
  new Problem('provider_invalid', 'The credential gives no access to the business in Service-Provider-ID.');

const modeNotAllowed = (mode: Mode) => new Problem('mode_not_allowed', `You have no ${mode} profile at this business.`);

function pick(here: readonly Profile[], mode: 'provider' | 'customer' | null): Profile {
  if (mode) {
    const profile = here.find((p) => p.mode === mode);
    if (!profile) throw modeNotAllowed(mode);
    return profile;
  }
  if (new Set(here.map((p) => p.mode)).size > 1) {
    throw new Problem(
      'mode_header_missing',
      'You are both staff and customer here. Choose with the header Service-Request-Mode.',
    );
  }
  return here[0];
}

async function operatorAt(
  grant: Grant,
  named: number | null,
  exists: (providerId: number) => Promise<boolean>,
): Promise<Viewer> {
  if (named === null) throw headerMissing('An operator has access to every business.');
  if (!(await exists(named))) throw outOfReach();
  return viewer({
    ...whose(grant),
    mode: 'operator',
    providerId: named,
    permissions: new Set(),
    staffId: null,
    customerId: null,
    venues: null,
  });
}

/** Returns the actor, as the audit names it. */
const whose = (grant: Grant | null) => ({
  actor: grant?.credential ?? 'anonymous',
  userId: grant?.userId ?? null,
  applicationId: grant?.applicationId ?? null,
  applicationName: grant?.applicationName ?? null,
});

/** Returns the viewer for somebody without a profile at the business. */
export const stranger = (providerId: number, grant: Grant | null = null): Viewer =>
  viewer({
    ...whose(grant),
    mode: 'unregistered',
    providerId,
    permissions: new Set(),
    staffId: null,
    customerId: null,
    venues: null,
  });

function ofProfile(profile: Profile, grant: Grant): Viewer {
  const { providerId } = profile;
  if (profile.mode === 'customer') {
    return viewer({
      ...whose(grant),
      mode: 'customer',
      providerId,
      permissions: new Set(),
      staffId: null,
      customerId: profile.customerId,
      venues: null,
    });
  }
  const permissions = new Set(profile.permissions);
  const venues = permissions.has('super_admin') ? null : profile.venues;
  return viewer({
    ...whose(grant),
    mode: 'provider',
    providerId,
    permissions,
    staffId: profile.staffId,
    customerId: null,
    venues,
  });
}
