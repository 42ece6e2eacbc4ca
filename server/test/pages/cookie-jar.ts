/** The cookies of a browser: by name and path, for one host. */
import { START } from '../clock.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export class CookieJar {
  #cookies: Cookie[] = [];

  /** Returns the value of the cookie with the longest path. */
  get(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.value;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, value: string, path = '/'): void {
    this.delete(name, path);
    this.#cookies.push({ name, value, path });
    this.#cookies = this.#cookies.toSorted((a, b) => b.path.length - a.path.length);
  }

  delete(name: string, path = '/'): void {
    this.#cookies = this.#cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
  }

  get names(): string[] {
    return this.#cookies.map(({ name }) => name);
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const { name, value } of this.#cookies) yield [name, value];
  }

  /** Returns the header that a request for this path carries; empty if there are no cookies. */
  headerFor(path: string): string {
    return this.#cookies
      .filter(({ path: of }) => path === of || path.startsWith(of.endsWith('/') ? of : `${of}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /**
   * Reads one `Set-Cookie` header of a response to a request for `requested`, a path.
   * @throws Error if browsers would reject the cookie
   */
  read(line: string, requested: string): void {
    const [pair, ...rest] = line.split(';').map((part) => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const attributes = new Map(
      rest.map((one) => {
        const [key, ...parts] = one.split('=');
        return [key.toLowerCase(), parts.join('=')] as const;
      }),
    );
    const isSecure = attributes.has('secure');
    const given = attributes.get('path');
    if (name.startsWith('__Secure-') && !isSecure) throw new Error(`browsers refuse ${name} without Secure`);
    if (name.startsWith('__Host-') && (!isSecure || given !== '/' || attributes.has('domain')))
      throw new Error(`browsers refuse ${name} without Secure and Path=/, and with Domain`);
    if (attributes.get('samesite')?.toLowerCase() === 'none' && !isSecure)
      throw new Error(`browsers refuse ${name}: SameSite=None needs Secure`);
    const path = given?.startsWith('/') ? given : requested.slice(0, Math.max(1, requested.lastIndexOf('/')));
    if (value === '' || hasEnded(attributes)) this.delete(name, path);
    else this.set(name, value, path);
  }
}

function hasEnded(attributes: ReadonlyMap<string, string>): boolean {
  const seconds = attributes.get('max-age');
  if (seconds !== undefined) return Number(seconds) <= 0;
  const ends = attributes.get('expires');
  return ends !== undefined && Date.parse(ends) <= START;
}
