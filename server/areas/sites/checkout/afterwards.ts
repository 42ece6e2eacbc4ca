/** Destinations after a checkout. */
import { type Business, at, bookPath, hasSite, withDone } from '../frame/index.ts';
import type { EventKind } from '../../../kernel/base/values/words.ts';
import type { CheckoutView, Place } from './view.ts';

interface Ended {
  readonly returnTo: string | null;
  readonly status: CheckoutView['status'];
  /** object that the customer received for each item */
  readonly results: readonly { readonly object: string | null; readonly id: number | null }[];
  /** page and kind of the event that is booked */
  readonly event: { readonly path: string; readonly kind: EventKind } | null;
}

/** The query parameter for each purchased resource, on a site of the business. */
const NAMES: Record<string, string> = { customermembership: 'customer_membership', attendance: 'attendance' };

/**
 * Returns `back`, the page that the browser came from, and `again`, the page where the same purchase can be started
 * again.
 */
export function afterwards(
  { site, baseUrl }: { site: Business; baseUrl: string },
  { returnTo, status, results, event }: Ended,
): { back: Place; again: string } {
  const from = returnTo === null ? null : ownPath(returnTo, baseUrl, site);
  // The event of a free time has a page once it is paid; before that, there is only the list of free times.
  const times = from?.startsWith(`${bookPath(site)}/`) === true;
  const own = returnTo === null || (times && status === 'completed') ? (event?.path ?? at(site, 'profile')) : from;
  const again = times ? from! : (event?.path ?? own ?? returnTo!);
  if (own === null)
    return {
      back: { href: resultUrl(returnTo!, status, results), kind: 'site', name: hostOf(returnTo!) },
      again,
    };
  const href = status === 'completed' ? withDone(own, 'bought') : own;
  return { back: { href, ...kindOf(own, site, event?.kind ?? null) }, again };
}

type Kind = Place extends infer P ? (P extends unknown ? Omit<P, 'href'> : never) : never;

/** Returns the kind of one of our pages. */
function kindOf(path: string, site: Business, event: EventKind | null): Kind {
  if (path.startsWith(`${bookPath(site)}/`)) return { kind: 'times' };
  if (path.includes('/events/')) return { kind: 'event', event };
  return hasSite(site) && (path === site.home || path.startsWith(`${site.home}/`))
    ? { kind: 'site', name: site.name }
    : { kind: 'account' };
}

/** Returns the path if it is one of our pages. */
const ownPath = (url: string, baseUrl: string, { home }: Business): string | null => {
  if (url.startsWith('/')) return url;
  const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : '';
  return path.startsWith('/account/') || path === home || path.startsWith(`${home}/`) ? path : null;
};

/** Returns the destination as displayed: the host, or the scheme of an app. */
function hostOf(url: string): string {
  const { host, protocol } = new URL(url);
  return host || protocol.replace(':', '');
}

function resultUrl(returnTo: string, status: CheckoutView['status'], results: Ended['results']): string {
  const url = new URL(returnTo);
  url.searchParams.set('purchase', status === 'open' ? 'cancelled' : status);
  for (const { object, id } of results) {
    const name = object === null ? undefined : NAMES[object];
    if (name !== undefined && !url.searchParams.has(name)) url.searchParams.set(name, String(id));
  }
  return url.href;
}
