/** Resolves a name to all of its addresses, by DNS alone. */
import { Resolver } from 'node:dns/promises';

/**
 * A function that returns all addresses of a name.
 * @throws NameNotFound
 */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * Returns the same text for a name that doesn’t exist and for one in an internal network: otherwise it would reveal
 * which names exist.
 */
export const notOnInternet = (host: string): string =>
  `The host name ${host} doesn’t exist, or leads to an address that is not on the public internet. Use one that everybody can reach.`;

export class NameNotFound extends Error {
  override name = 'NameNotFound';
  /** DNS answered that there is no such name, instead of not answering */
  readonly certain: boolean;
  constructor(host: string, certain: boolean) {
    super(certain ? notOnInternet(host) : `The host name ${host} could not be looked up.`);
    this.certain = certain;
  }
}

const PATIENCE_MS = 2000;
const CERTAIN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Queries the name servers of this machine. Not `getaddrinfo`, which occupies one of the process's four threads for as
 * long as a server does not respond. The hosts file is therefore not read.
 */
export function dnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 2 });
  return async (host) => {
    const name = host.replace(/\.$/, '');
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((a) => (a.status === 'fulfilled' ? a.value : []));
    if (found.length > 0) return found;
    throw new NameNotFound(
      host,
      answers.every((a) => a.status === 'fulfilled' || CERTAIN.has((a.reason as { code?: string }).code ?? '')),
    );
  };
}

/**
 * A function that returns the TXT records of a name; empty if there are none or the name doesn't exist.
 * @throws NameNotFound
 */
export type ResolveTexts = (name: string) => Promise<string[]>;

export function dnsTexts(): ResolveTexts {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 2 });
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch (error) {
      if (CERTAIN.has((error as { code?: string }).code ?? '')) return [];
      throw new NameNotFound(name, false);
    }
  };
}
