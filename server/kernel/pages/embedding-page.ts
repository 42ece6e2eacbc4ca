/**
 * The page of another website from which somebody came to ours, and to which they can return. It is a page of the
 * origin that the browser named as the referrer, so a link in an email can't choose where people return to.
 */

export interface EmbeddingPage {
  readonly href: string;
  /** as displayed */
  readonly host: string;
}

const MAX_LENGTH = 1000;

/**
 * Returns the page to return to; null if it isn't a page of the website that the person came from. `https`: the service
 * is served over https, and then only such pages count.
 */
export function embeddingPage(
  asked: string | null,
  referrer: string | undefined,
  https: boolean,
): EmbeddingPage | null {
  const page = parsed(asked, https);
  const from = parsed(referrer ?? null, https);
  return page !== null && from !== null && page.origin === from.origin ? { href: page.href, host: page.host } : null;
}

/** Returns the value of the cookie that remembers the page at the site whose home is `home`. */
export const embeddingCookie = (home: string, { href }: EmbeddingPage): string => `${home} ${href}`;

/** Returns the page that the cookie remembers; null if it remembers none at this site. */
export function rememberedPage(cookie: string | null, home: string, https: boolean): EmbeddingPage | null {
  const prefix = `${home} `;
  const page = cookie?.startsWith(prefix) ? parsed(cookie.slice(prefix.length), https) : null;
  return page && { href: page.href, host: page.host };
}

function parsed(address: string | null, https: boolean): URL | null {
  if (address === null || address.length > MAX_LENGTH || !URL.canParse(address)) return null;
  const url = new URL(address);
  const served = url.protocol === 'https:' || (url.protocol === 'http:' && !https);
  return served && url.username === '' && url.password === '' ? url : null;
}
