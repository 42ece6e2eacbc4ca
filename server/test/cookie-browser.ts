/**
 * As much of a browser as log-ins by applications need: cookies by path, and redirects that are followed one by one.
 */
import { START } from './clock.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export interface Seen {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

export class Browser {
  #cookies: Cookie[] = [];
  /** where a path leads on from */
  #at?: URL;

  setCookie(name: string, value: string | null, path = '/'): void {
    this.#cookies = this.#cookies.filter((c) => c.name !== name || c.path !== path);
    if (value !== null) this.#cookies.push({ name, value, path });
  }

  get cookieNames(): string[] {
    return this.#cookies.map((c) => c.name);
  }

  /** Follows redirects within the service, and stops at one that leads elsewhere or to a page for people. */
  async go(address: string | URL): Promise<Seen> {
    let url = new URL(address, this.#at);
    for (let hops = 0; hops < 10; hops++) {
      this.#at = url;
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: this.#cookieHeader(url), accept: 'text/html' },
      });
      for (const line of response.headers.getSetCookie()) this.#keep(line);
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

  #cookieHeader({ pathname }: URL): string {
    return this.#cookies
      .filter((c) => pathname.startsWith(c.path))
      .map((c) => `${c.name}=${c.value}`)
      .join('; ');
  }

  #keep(line: string): void {
    const [pair, ...attributes] = line.split(';').map((part) => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const of = (wanted: string) => attributes.find((a) => a.toLowerCase().startsWith(`${wanted}=`))?.split('=')[1];
    const over =
      value === '' || Number(of('max-age') ?? 1) <= 0 || new Date(of('expires') ?? '9999-01-01').getTime() < START;
    this.setCookie(name, over ? null : value, of('path') ?? '/');
  }
}
