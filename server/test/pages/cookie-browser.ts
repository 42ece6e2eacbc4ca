/** The parts of a browser that log-ins by applications need: cookies, and redirects that are followed one by one. */
import { CookieJar } from './cookie-jar.ts';

export interface Seen {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

export class Browser {
  readonly #cookies = new CookieJar();
  /** the URL that relative paths are resolved against */
  #at?: URL;

  setCookie(name: string, value: string | null, path = '/'): void {
    if (value === null) this.#cookies.delete(name, path);
    else this.#cookies.set(name, value, path);
  }

  get cookieNames(): string[] {
    return this.#cookies.names;
  }

  /** Follows redirects within the service, and stops at one that leads elsewhere or to a page for people. */
  async go(address: string | URL): Promise<Seen> {
    let url = new URL(address, this.#at);
    for (let hops = 0; hops < 10; hops++) {
      this.#at = url;
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: this.#cookies.headerFor(url.pathname), accept: 'text/html' },
      });
      for (const line of response.headers.getSetCookie()) this.#cookies.read(line, url.pathname);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null)
        return { status: response.status, url: url.href, headers: response.headers, text: await response.text() };
      const next = new URL(location, url);
      if (next.origin !== url.origin || next.pathname.startsWith('/account/'))
        return { status: response.status, url: next.href, headers: response.headers, text: '' };
      url = next;
    }
    throw new Error('redirected in a circle');
  }
}
