/** Parts that the tools share: free parameters, operations by their names, links. */
import { map } from '../../../../kernel/base/fields/kinds.ts';
import type { Declared } from '../../../../kernel/api/contract.ts';
import type { Link } from '../answer.ts';
import type { Session } from '../session.ts';

export const link = (title: string, url: string | null): Link | null => (url === null ? null : { title, url });

export const filters = () =>
  map().optional().describe('Query parameters by name, for example {"page_size": 20, "status": ["active"]}.');

/** Returns query parameters as a URL has them: a list is joined by commas. */
export const flat = (given: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );

/** Returns the operation of this name if the caller may call it through an assistant; undefined otherwise. */
export const find = (session: Session, name: string): Declared | undefined => {
  const wanted = name.trim().replace(/\s+/g, ' ');
  return session.registry.endpoints.find((one) => `${one.method} ${one.path}` === wanted && session.offers(one));
};
