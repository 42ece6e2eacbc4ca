/**
 * The list of all operations with the screens that offer them. To print it:
 * `node bin/rollcall.mjs run server/areas/sites/dashboard/test/offered-list.ts`
 */
import { fileURLToPath } from 'node:url';
import { familyOf, offeredBy } from './offered.ts';
import { FOR_OTHERS } from './not-offered.ts';
import { registry as declared } from '../../../../app.ts';
import type { Endpoint } from '../../../../kernel/api/acting.ts';

export interface Offered {
  /** `POST /events/{id}/register` */
  readonly operation: string;
  /** in the order of the navigation */
  readonly screens: readonly string[];
  /** why no screen offers it; null: one does, or no reason is known */
  readonly because: { readonly why: string; /** its declaration says so */ readonly isDerived: boolean } | null;
}

const derived = (why: string) => ({ why, isDerived: true });

/**
 * Returns why an operation needs no screen: its declaration says so, another operation replaces it, or the tables state
 * a reason.
 */
function becauseOf(
  { who, method, path }: Endpoint,
  offered: ReadonlyMap<string, readonly string[]>,
): Offered['because'] {
  if (who.provider === false) return derived(who.operator ? 'for the operator' : 'for customers and visitors');
  const name = familyOf(`${method} ${path}`);
  if (name in FOR_OTHERS) return { why: `for ${FOR_OTHERS[name]}`, isDerived: false };
  const instead = insteadOf(method, path);
  if (instead && (offered.get(instead)?.length ?? 0) > 0) return derived(`${instead} does for it`);
  const others = instead && FOR_OTHERS[familyOf(instead)];
  return others ? derived(`for ${others}`) : null;
}

/** Returns the operation that replaces this one: PATCH changes what PUT replaces, and a list contains its objects. */
function insteadOf(method: Endpoint['method'], path: string): string | null {
  if (method === 'PUT') return `PATCH ${path}`;
  return method === 'GET' && path.endsWith('/{id}') ? `GET ${path.slice(0, -'/{id}'.length)}` : null;
}

export function listOffered(): Offered[] {
  const { endpoints } = declared();
  const offered = offeredBy(endpoints.map(({ method, path }) => `${method} ${path}`));
  return endpoints.map((endpoint) => {
    const operation = `${endpoint.method} ${endpoint.path}`;
    const screens = offered.get(operation)!;
    return { operation, screens, because: screens.length > 0 ? null : becauseOf(endpoint, offered) };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { operation, screens, because } of listOffered())
    console.log(`${operation}: ${screens.length > 0 ? screens.join(', ') : (because?.why ?? 'nobody knows why not')}`);
