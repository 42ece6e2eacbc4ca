/** From a credential and two headers to the eyes that a request looks through. */
import { Problem } from '../../base/problem.ts';
import type { Permission } from './permission.ts';
import { viewer, type Mode, type Viewer } from './viewer.ts';

export type Profile =
  | {
      readonly mode: 'provider';
      readonly providerId: number;
      readonly staffId: number | null;
      readonly permissions: readonly Permission[];
      /** venues at which the permissions hold; null: everywhere. A super admin is never limited. */
      readonly venues: readonly number[] | null;
    }
  | { readonly mode: 'customer'; readonly providerId: number; readonly customerId: number };

/** What decides, besides the account, who a person is at a business. */
export interface Seen {
  /** they proved more than a password */
  readonly secondFactor: boolean;
  /** null: as staff and as a customer */
  readonly mode: Profile['mode'] | null;
}

/** What a credential reaches. */
export interface Grant {
  /** names the credential for limits, idempotency and audit; never the secret */
  readonly credential: string;
  /** a person may look at a business as a stranger; a machine only where it belongs */
  readonly kind: 'machine' | 'person';
  readonly profiles: readonly Profile[];
  /** the person behind it */
  readonly userId: number | null;
  /** for other cells, at whose businesses the person may be somebody too; null: it is for no such business */
  readonly seen: Seen | null;
  /** the application that the person uses, and its name */
  readonly applicationId: number | null;
  readonly applicationName: string | null;
  /** businesses that it may ask at all; null: every one */
  readonly reach: readonly number[] | null;
  /** false: it was given for reading only */
  readonly writes: boolean;
  /** what a person let an application have; nothing for credentials that are asked for no scope */
  readonly scopes: readonly string[];
  /** whoever runs the installation; sees nothing of what a business keeps */
  readonly operator: boolean;
}

/** A grant of these properties that is a person's, or else a machine's, with nothing special about it. */
export const grantOf = (given: Pick<Grant, 'credential' | 'kind' | 'profiles'> & Partial<Grant>): Grant => ({
  userId: null,
  seen: null,
  applicationId: null,
  applicationName: null,
  reach: null,
  writes: true,
  scopes: [],
  operator: false,
  ...given,
});

/** A token that works. */
export interface Found {
  readonly grant: Grant;
  /** whose changes end this knowledge, as `access_change` names them: `user:12`, `machine_token:7` */
  readonly subjects: readonly string[];
  /** when the token ends by itself, epoch ms */
  readonly until: number;
  /** told of every request that uses it */
  readonly onUse?: () => void;
  /** this process is not told of its end, so that nothing of it is remembered: it is looked for at each request */
  readonly once?: boolean;
}

/** Tells what a bearer token is good for, or null when it is none of its kind, or none that works. */
export type Authenticator = (token: string) => Promise<Found | null>;

const BEARER = { 'www-authenticate': 'Bearer' };

/** The token of an Authorization header; null without a header; a refusal when the form is wrong. */
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

/** The number in Service-Provider-ID, or null where there is none. */
export function providerHeader(value: string | undefined): number | null {
  if (value === undefined) return null;
  const n = /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (n < 1 || n > LARGEST_ID)
    throw new Problem('provider_header_invalid', 'The header Service-Provider-ID must be a number.');
  return n;
}

/** The mode in Service-Request-Mode, or null where there is none; an empty header is none. */
export function modeHeader(value: string | undefined): 'provider' | 'customer' | null {
  if (value === undefined || value === '') return null;
  if (value !== 'provider' && value !== 'customer') {
    throw new Problem('mode_header_invalid', 'The header Service-Request-Mode must be "provider" or "customer".');
  }
  return value;
}

const headerMissing = (why: string): Problem =>
  new Problem('provider_header_missing', `${why} Name the business with the header Service-Provider-ID.`);

/** Settles business and mode. `exists` tells whether a business that a stranger names is there. */
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
  // An application's people are strangers at its business until they sign up there.
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

/** The eyes for a list of the businesses that a credential reaches, in this mode where one is named. */
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

/** Who acts, as the audit names it. */
const whose = (grant: Grant | null) => ({
  actor: grant?.credential ?? 'anonymous',
  userId: grant?.userId ?? null,
  applicationId: grant?.applicationId ?? null,
  applicationName: grant?.applicationName ?? null,
});

/** Somebody without a profile at the business. */
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
