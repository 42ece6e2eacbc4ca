/** What can be said of an endpoint from its declaration alone: who may call it, how it is called, how it may refuse. */
import { kindOf, type GeneralCode, type ProblemKind } from '../base/problem.ts';
import type { Endpoint, Writing } from './acting.ts';
import type { Mode } from '../work/access/viewer.ts';
import type { Registry } from './registry.ts';

export type Declared = Registry['endpoints'][number];

export const isWrite = <E extends Endpoint>(endpoint: E): endpoint is E & Writing => endpoint.method !== 'GET';

/** Whether `?dry_run=true` is offered. */
export const supportsDryRun = (endpoint: Endpoint): boolean => isWrite(endpoint) && endpoint.dryRun === undefined;

export const modesOf = ({ who }: Endpoint): Mode[] => [
  ...(who.provider === false ? [] : (['provider'] as const)),
  ...(who.customer ? (['customer'] as const) : []),
  ...(who.unregistered ? (['unregistered'] as const) : []),
  ...(who.operator ? (['operator'] as const) : []),
];

/** Any of these is enough in provider mode; empty: every staff member, or none where the mode is not allowed. */
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

/** Whether a write can be tried first, or why not; reads have nothing to try. */
export const trialInWords = (endpoint: Endpoint): string | null =>
  !isWrite(endpoint)
    ? null
    : supportsDryRun(endpoint)
      ? 'Can be tried with `dry_run`.'
      : `Can’t be tried with \`dry_run\`: ${uncapitalized(endpoint.dryRun!)}`;

const uncapitalized = (sentence: string): string => sentence[0].toLowerCase() + sentence.slice(1);

/** What every request may be refused with. */
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
/** What every write may be refused with besides. */
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

/** The codes that every read, or every write, may refuse with. */
export const generalCodes = (endpoint: Endpoint): readonly GeneralCode[] =>
  isWrite(endpoint) ? [...EVERYWHERE, ...ON_WRITES] : EVERYWHERE;

/** Everything that the endpoint may refuse with, its own and what is general, in the order of the registry. */
export function refusalsOf(endpoint: Declared, registry: Registry): ProblemKind[] {
  const kinds = new Set([...generalCodes(endpoint), ...endpoint.problems].map(kindOf));
  if (isWrite(endpoint)) {
    const area = registry.areas.find((a) => a.name === endpoint.area);
    // A constraint of the database speaks for whichever write runs into it.
    for (const refuse of Object.values(area?.constraints ?? {})) kinds.add(refuse().kind);
  }
  return [...registry.problems.values()].filter((kind) => kinds.has(kind));
}

/** Statuses in their order, each with the codes that it stands for. */
export const byStatus = (kinds: readonly ProblemKind[]): Map<number, string[]> =>
  new Map(
    [...Map.groupBy(kinds, ({ status }) => status)]
      .toSorted(([a], [b]) => a - b)
      .map(([status, all]) => [status, all.map(({ code }) => code)]),
  );

/** `list_customers`, `get_customers_id`: stable as long as method and path are. */
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

/** Names between braces, in the order of the path. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{([^}]+)\}/g)].map((m) => m[1]);
