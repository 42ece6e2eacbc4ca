/** Facts that follow from an endpoint's declaration alone: who may call it, how to call it, how it may refuse. */
import { kindOf, type GeneralCode, type Problem, type ProblemKind } from '../base/problem.ts';
import type { Endpoint, Writing } from './acting.ts';
import type { Mode } from '../work/access/viewer.ts';

/** An endpoint with the names of its area and its topic. */
export type Declared = Endpoint & { readonly area: string; readonly topic: string };

/** Declarations of the areas about refusals. */
interface Refusals {
  readonly areas: readonly { readonly name: string; readonly constraints?: Readonly<Record<string, () => Problem>> }[];
  readonly problems: ReadonlyMap<string, ProblemKind>;
}

export const isWrite = <E extends Endpoint>(endpoint: E): endpoint is E & Writing => endpoint.method !== 'GET';

/** Returns true if `?dry_run=true` is offered. */
export const supportsDryRun = (endpoint: Endpoint): boolean => isWrite(endpoint) && endpoint.dryRun === undefined;

export const modesOf = ({ who }: Endpoint): Mode[] => [
  ...(who.provider === false ? [] : (['provider'] as const)),
  ...(who.customer ? (['customer'] as const) : []),
  ...(who.unregistered ? (['unregistered'] as const) : []),
  ...(who.operator ? (['operator'] as const) : []),
];

/**
 * Returns the permissions of which any one is enough in provider mode; empty: every staff member, or none if the mode
 * is not allowed.
 */
export const permissionsOf = ({ who }: Endpoint): string[] =>
  Array.isArray(who.provider) ? [...new Set(['super_admin', ...who.provider])] : [];

export function whoInWords(endpoint: Endpoint): string {
  const { who } = endpoint;
  if (who.operator && !modesOf(endpoint).some((mode) => mode !== 'operator'))
    return 'Only the operator of the installation.';
  if (endpoint.belongsTo === 'installation') {
    return `Belongs to no business: there is no mode and no business to choose. ${who.unregistered ? 'No credential is needed.' : 'Any valid credential is enough.'}`;
  }
  const permissions = permissionsOf(endpoint).map((p) => `\`${p}\``);
  const provider =
    who.provider === true
      ? 'any staff member'
      : who.provider === false
        ? 'no access'
        : `staff with ${permissions.join(' or ')}`;
  return [
    `Providers: ${provider}.`,
    `Customers: ${who.customer ? 'what they may see and do' : 'no access'}.`,
    `Unregistered customers: ${who.unregistered ? 'what is public' : 'no access'}.`,
    ...(who.operator ? ['The operator of the installation.'] : []),
  ].join(' ');
}

/** Returns a sentence on whether a write has a dry run, or why not; null for reads. */
export const trialInWords = (endpoint: Endpoint): string | null =>
  !isWrite(endpoint)
    ? null
    : supportsDryRun(endpoint)
      ? 'Can be tried with `dry_run`.'
      : `Can’t be tried with \`dry_run\`: ${uncapitalized(endpoint.dryRun!)}`;

const uncapitalized = (sentence: string): string => sentence[0].toLowerCase() + sentence.slice(1);

/** Refusals of every request. */
export const EVERYWHERE: readonly GeneralCode[] = [
  'parameter_invalid',
  'provider_header_missing',
  'provider_header_invalid',
  'mode_header_missing',
  'mode_header_invalid',
  'not_authenticated',
  'authentication_failed',
  'permission_denied',
  'mode_not_allowed',
  'provider_invalid',
  'not_found',
  'not_acceptable',
  'rate_limited',
  'internal_error',
  'unavailable',
];
/** Refusals of every write, in addition. */
export const ON_WRITES: readonly GeneralCode[] = [
  'conflict',
  'already_exists',
  'in_use',
  'idempotency_key_in_use',
  'version_mismatch',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
];

/** Returns the general codes of every read, or of every write. */
export const generalCodes = (endpoint: Endpoint): readonly GeneralCode[] =>
  isWrite(endpoint) ? [...EVERYWHERE, ...ON_WRITES] : EVERYWHERE;

/** Returns all refusals of the endpoint, its own and the general ones, in the order of the registry. */
export function refusalsOf(endpoint: Declared, registry: Refusals): ProblemKind[] {
  const kinds = new Set([...generalCodes(endpoint), ...endpoint.problems].map(kindOf));
  if (isWrite(endpoint)) {
    const area = registry.areas.find((a) => a.name === endpoint.area);
    // A database constraint can refuse any write of the area.
    for (const refuse of Object.values(area?.constraints ?? {})) kinds.add(refuse().kind);
  }
  return [...registry.problems.values()].filter((kind) => kinds.has(kind));
}

/** Returns the statuses in order, each with its codes. */
export const byStatus = (kinds: readonly ProblemKind[]): Map<number, string[]> =>
  new Map(
    [...Map.groupBy(kinds, ({ status }) => status)]
      .toSorted(([a], [b]) => a - b)
      .map(([status, all]) => [status, all.map(({ code }) => code)]),
  );

/**
 * Returns the id of an operation: `list_customers`, `get_customers_id`. It is stable as long as method and path are.
 */
export function operationId({ method, path, returns, status }: Endpoint): string {
  const verb = {
    GET: returns.kind === 'page' || returns.kind === 'pageOf' ? 'list' : 'get',
    POST: status === 201 ? 'create' : 'do',
    PUT: 'replace',
    PATCH: 'update',
    DELETE: 'delete',
  }[method];
  return `${verb}_${path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')}`;
}

/** Returns the names between braces, in the order of the path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{([^}]+)\}/g)].map((m) => m[1]);
