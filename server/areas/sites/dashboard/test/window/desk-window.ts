/**
 * The dashboard in a window within the test process: the same program, service and session, without Chromium, at a
 * hundredth of the cost. There is no layout, so positions, widths and the order of the Tab key are tested in Chromium.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { liveHtml, recordPage } from '../../../../../test/pages/looks.ts';
import { oneScript } from './one-script.ts';
import { takesTooLong } from '../../../../../test/pages/shows.ts';
import { keyboardOf, WindowPart } from './part.ts';
import { Realm } from './realm.ts';
import { rulesOf } from './displayed.ts';
import { selectorsOf, type Injected, type Selectors } from './selectors.ts';
import type { GivenFile, Heard, ScreenPage, Visit } from './visit.ts';

/** Values of fields change without a visible mutation, which is rare; everything else wakes those who wait. */
const POLL_MS = 50;

/** Observer of the page's requests to the service. */
export interface Watch {
  asks(request: { method: string; url: string; body: string | null }): void;
  /** The user pressed "Undo". */
  undone(): void;
}

let rules: ReturnType<typeof rulesOf> | undefined;

export class DeskWindow implements Visit {
  readonly #origin: string;
  readonly #cookie: string;
  readonly #watch: Watch;
  readonly #kept = { local: new Map<string, string>(), session: new Map<string, string>() };
  readonly #heard: ((response: Heard) => void)[] = [];
  readonly #awaited: ((file: GivenFile) => void)[] = [];
  readonly #complaints: unknown[] = [];
  /** response headers of the page that was opened last */
  #headers: Readonly<Record<string, string>> = {};
  #realm: Realm | undefined;
  #selectors: Selectors | undefined;
  #injected: Injected | undefined;
  /** requests that wait, by the end of their path */
  readonly #held = new Map<string, Promise<void>>();
  #leaving: Promise<void> | undefined;
  #now: number | undefined;
  #isOnline = true;
  #reported: string | null | undefined;
  /** number of pending requests */
  #open = 0;

  constructor(origin: string, cookie: string, watch: Watch) {
    this.#origin = origin;
    this.#cookie = cookie;
    this.#watch = watch;
  }

  readonly page: ScreenPage & { readonly keyboard: ScreenPage['keyboard'] } = (() => {
    const all = (): WindowPart => new WindowPart(this, '');
    return {
      getByRole: (...given) => all().getByRole(...given),
      getByLabel: (...given) => all().getByLabel(...given),
      getByText: (...given) => all().getByText(...given),
      getByPlaceholder: (...given) => all().getByPlaceholder(...given),
      locator: (...given) => all().locator(...given),
      keyboard: keyboardOf(this),
      clock: { setFixedTime: async (time) => void (this.#now = time) },
      goto: (path) => this.#load(new URL(path, this.#origin)),
      reload: () => this.#load(new URL(this.page.url())),
      url: () => this.realm.window.location.href,
      waitForURL: async (wanted) => {
        await this.until(`wait for the address ${String(wanted)}`, () => {
          const url = this.page.url();
          const isThere =
            typeof wanted === 'function'
              ? wanted(new URL(url))
              : typeof wanted === 'string'
                ? new URL(wanted, this.#origin).href === url
                : wanted.test(url);
          return isThere ? { found: true } : `the address is ${url}`;
        });
      },
      content: async () => this.realm.window.document.documentElement.outerHTML,
      waitForEvent: () => new Promise((done) => this.#awaited.push(done)),
      on: (_event, listener) => void this.#heard.push(listener),
    };
  })();

  get realm(): Realm {
    if (!this.#realm) throw new Error('No page was opened yet.');
    return this.#realm;
  }

  get selectors(): Selectors {
    // Selectors mean the same in every window, so one without a page can already be asked for parts of the next.
    return (this.#selectors ??= lastSelectors!);
  }

  get injected(): Injected {
    return this.#injected!;
  }

  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  check(): void {
    assert.deepEqual(this.#complaints.splice(0), [], 'the page did what it must not');
  }

  /** Records the page in its current state for the check at the end of the run. */
  async checkLive(name: string): Promise<void> {
    this.check();
    const { window } = this.realm;
    // Rows that are about to be replaced are dimmed.
    await this.until('read the rows', () =>
      window.document.querySelector('.kept[aria-busy="true"]') ? 'it is reading' : { found: true },
    );
    await recordPage({
      name,
      url: this.page.url(),
      html: new Function('globalThis', `return (${String(liveHtml)})()`)(window) as string,
      headers: this.#headers,
      live: true,
      asset: async (url) => {
        const response = await fetch(url, { headers: { cookie: this.#cookie } });
        const type = response.headers.get('content-type') ?? 'application/octet-stream';
        return response.ok ? { type, body: new Uint8Array(await response.arrayBuffer()) } : null;
      },
    });
  }

  /** Closes the notifications that cover the page. */
  clearNews(): void {
    for (const button of this.realm.window.document.querySelectorAll('.toast button:not(.strong)')) button.click();
  }

  /** Navigates to another screen like a link, and resolves like `read`. */
  async follow(path: string): Promise<void> {
    const { document, history } = this.realm.window;
    const left = { title: document.title, heading: document.querySelector('main h1') };
    history.pushState({}, '', path);
    // Two refusals share their heading, and two screens may share their title.
    await this.until(`go on to ${path}`, () =>
      document.title !== left.title || document.querySelector('main h1') !== left.heading
        ? { found: true }
        : 'the screen before is still there',
    );
    await this.read();
  }

  /** Resolves when a screen is there and no request is pending. */
  async read(): Promise<void> {
    await this.until('read all of the screen', () => {
      const { document } = this.realm.window;
      if (!document.querySelector('.shell main h1')) return 'no screen is there';
      if (document.querySelector('main .loading')) return 'it is loading';
      return this.#open === 0 ? { found: true } : `${this.#open} requests are on their way`;
    });
    await this.settle();
    if (this.#open > 0) await this.read();
  }

  /** Writes to the browser's storage, for pages that are opened later. */
  remember(key: string, value: string): void {
    this.#kept.local.set(key, value);
  }

  /** Holds back requests whose path ends like this, as on a slow connection, until the returned function is called. */
  hold(path: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(path, promise);
    return () => {
      this.#held.delete(path);
      resolve();
    };
  }

  /** Reports another origin than the page's, as behind some proxies; null: none, as some extensions do. */
  reportOrigin(origin: string | null): void {
    this.#reported = origin;
  }

  setOffline(isOffline: boolean): void {
    this.#isOnline = !isOffline;
    const { window } = this.realm;
    window.dispatchEvent(new window.Event(isOffline ? 'offline' : 'online'));
  }

  async close(): Promise<void> {
    this.check();
    this.#realm?.close();
    this.#realm = undefined;
  }

  find(selector: string): any {
    const found = this.findAll(selector);
    if (found.length > 1) throw this.injected.strictModeViolationError(this.injected.parseSelector(selector), found);
    return found[0];
  }

  findAll(selector: string): readonly any[] {
    return this.injected.querySelectorAll(this.injected.parseSelector(selector), this.realm.window.document);
  }

  /** Retries until the attempt succeeds. `attempt` returns why it is not possible yet. */
  async until<T>(doing: string, attempt: () => string | { readonly found: T }): Promise<T> {
    const began = performance.now();
    for (;;) {
      await this.#leaving;
      const answer = attempt();
      if (typeof answer !== 'string') return answer.found;
      if (takesTooLong(began))
        throw new Error(`Could not ${doing}: ${answer}. The page says:\n${this.realm.window.document.body.innerText}`);
      await this.realm.moment(POLL_MS);
    }
  }

  /** Waits for the immediate consequences of an action. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done));
    this.realm.changed();
    await this.#leaving;
  }

  async #load(url: URL): Promise<void> {
    this.#realm?.close();
    const html = await this.#document(url);
    rules ??= rulesOf((await oneScript()).styles);
    const realm = new Realm({
      url: url.href,
      html,
      rules,
      kept: this.#kept,
      now: this.#now,
      isOnline: () => this.#isOnline,
      fetch: (address, init) => this.#fetch(address, init),
      leave: (to) => {
        if (realm === this.#realm) this.#leaving ??= this.#load(new URL(to)).finally(() => (this.#leaving = undefined));
      },
      give: ({ name, blob }) =>
        this.#awaited.shift()?.({
          suggestedFilename: () => name,
          path: async () => {
            const file = join(mkdtempSync(join(tmpdir(), 'rollcall-file-')), 'file');
            writeFileSync(file, Buffer.from(await blob.arrayBuffer()));
            return file;
          },
        }),
      complain: (what) => this.#complaints.push(what),
    });
    this.#realm = realm;
    const names = realm.names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
    const selectors = selectorsOf(names, realm.globals);
    lastSelectors = this.#selectors = selectors;
    this.#injected = new selectors.InjectedScript(realm.window, {
      isUnderTest: false,
      sdkLanguage: 'javascript',
      frameSeq: 0,
      testIdAttributeName: 'data-testid',
      stableRafCount: 1,
      browserName: 'chromium',
      customEngines: [],
    });
    realm.window.document.addEventListener(
      'click',
      ({ target }: any) => target.closest?.('.toast .strong') && this.#watch.undone(),
      true,
    );
    if (!url.pathname.startsWith('/dashboard')) return;
    await (await oneScript()).compiled(names)(...realm.globals);
    await this.settle();
  }

  /** Loads the page from the service, which shows a notice while the program is being built. */
  async #document(url: URL): Promise<string> {
    for (;;) {
      const response = await fetch(url, { headers: { cookie: this.#cookie, accept: 'text/html' } });
      const html = await response.text();
      this.#headers = Object.fromEntries(response.headers);
      if (!url.pathname.startsWith('/dashboard') || html.includes('<script type="module"')) return html;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    if (!this.#isOnline) throw new TypeError('Failed to fetch');
    const method = init.method ?? 'GET';
    if (url.protocol === 'blob:' || url.protocol === 'data:') return fetch(url, init);
    if (url.origin !== this.#origin) {
      this.#complaints.push(`asked for ${url.href}`);
      throw new TypeError('Failed to fetch');
    }
    this.#watch.asks({ method, url: url.href, body: typeof init.body === 'string' ? init.body : null });
    const headers = new Headers(init.headers);
    headers.set('cookie', this.#cookie);
    headers.set('sec-fetch-site', 'same-origin');
    if (!headers.has('accept-language')) headers.set('accept-language', 'en-US');
    const reported = this.#reported === undefined ? this.#origin : this.#reported;
    if (method !== 'GET' && reported !== null) headers.set('origin', reported);
    const isStream = url.pathname.endsWith('/feed_items/stream');
    if (!isStream) this.#open++;
    try {
      await [...this.#held].find(([path]) => url.pathname.endsWith(path))?.[1];
      const response = await fetch(url, { ...init, headers });
      const received: Heard = {
        status: () => response.status,
        url: () => url.href,
        request: () => ({ method: () => method }),
      };
      for (const listener of this.#heard) listener(received);
      if (isStream) return response;
      // The response counts as received when its whole body is.
      const body = await response.arrayBuffer();
      const { status, statusText } = response;
      return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers: response.headers });
    } finally {
      if (!isStream) this.#open--;
    }
  }
}

let lastSelectors: Selectors | undefined;
