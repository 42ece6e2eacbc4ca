/**
 * Pages as people meet them: a real browser without JavaScript that reports every problem. A visit fails when the page
 * violates its own content security policy, or when it requests anything from outside the service.
 */
import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Response } from 'playwright-core';
import { atEnd } from '../ending.ts';
import { START } from '../clock.ts';
import { browserProgram } from './browser-program.ts';
import { Eye } from './look-at.ts';
import { liveHtml, recordPage, type PageToRecord } from './looks.ts';
import { PATIENCE_MS } from './shows.ts';
import { slowness } from '../runner/speed.ts';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A recorded page that is shown again comes from no network address, so it could request nothing from another service
  // on this machine.
  '--disable-features=LocalNetworkAccessChecks',
];

/** Measured once for each process: it takes a moment. */
const SLOW = slowness();

let shared: Promise<Browser> | undefined;

/**
 * Returns the one browser of this process, which files share because starting it takes a second: people are apart in
 * contexts of their own. It ends after the last file; one that has crashed is replaced.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) {
    if (!shared) atEnd(async () => (await shared)?.close());
    shared = browserProgram().then((program) => chromium.launch({ ...program, headless: true, args: FLAGS }));
  }
  return shared!;
}

/** The browser of a test file: start it in before(), close it in after(). */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #leavesFor: string | undefined;
  readonly #origin: string;

  private constructor(browser: Browser, origin: string, leavesFor?: string) {
    this.#leavesFor = leavesFor;
    this.#browser = browser;
    this.#origin = origin;
  }

  /**
   * Starts a browser for the service at `url`. Requests anywhere else fail the visit, except for pages of `leavesFor`,
   * an origin that people are redirected to.
   */
  static async start(url: string, leavesFor?: string): Promise<TestBrowser> {
    return new TestBrowser(await sharedBrowser(), new URL(url).origin, leavesFor);
  }

  /**
   * Opens a browser context for one person: no cookies, no history, no JavaScript unless `scripts`. `origin`: the
   * service, if it is not the one of the file. `asks`: another origin from which pages may load scripts and data.
   */
  async visitor(
    origin = this.#origin,
    { scripts = false, asks }: { scripts?: boolean; asks?: string } = {},
  ): Promise<Visitor> {
    const context = await this.#browser.newContext({ javaScriptEnabled: scripts, baseURL: origin });
    if (scripts) await context.clock.setFixedTime(START);
    context.setDefaultTimeout(PATIENCE_MS * SLOW);
    return new Visitor(context, await context.newPage(), { origin, leavesFor: this.#leavesFor, asks });
  }

  /** Opens a window that checks recorded pages. */
  eye(): Promise<Eye> {
    return Eye.open(this.#browser);
  }

  /** Closes all windows: no other file has one, because files of a process run one after the other. */
  async close(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }
}

/** The origins of a visitor's pages, those they lead to, and the others that they may request from. */
interface Origins {
  readonly origin: string;
  readonly leavesFor?: string;
  readonly asks?: string;
}

export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #complaints: string[] = [];
  #last: Response | null = null;

  constructor(context: BrowserContext, page: Page, origins: Origins) {
    this.context = context;
    this.page = page;
    watch(page, origins, this.#complaints);
    page.on('response', (response) => {
      if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) this.#last = response;
    });
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
    this.check();
  }

  /**
   * Fills in the fields by their labels, after opening the section of those that are hidden, and presses the button.
   */
  async submit(button: string, fields: Record<string, string | boolean> = {}): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      const field = this.page.getByLabel(label, { exact: true });
      if ((await field.count()) === 1 && !(await field.isVisible()))
        await field.locator('xpath=ancestor::details[not(@open)]/summary').click();
      if (typeof value === 'boolean') await field.setChecked(value);
      else if ((await field.getAttribute('type')) === 'radio') await field.check();
      else if ((await field.evaluate((e) => e.nodeName)) === 'SELECT') await field.selectOption({ label: value });
      else await field.fill(value);
    }
    await this.leave(this.page.getByRole('button', { name: button, exact: true }));
  }

  follow(link: string): Promise<void> {
    return this.leave(this.page.getByRole('link', { name: link, exact: true }).first());
  }

  /**
   * Clicks something that leads to another page, and waits until that page has loaded completely, not only begun to
   * load.
   */
  async leave(by: Locator): Promise<void> {
    await by.click();
    await this.page.waitForLoadState();
    this.check();
  }

  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  /** Returns the text on the page. */
  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  /** @throws Error with all policy violations of the page so far */
  check(): void {
    if (this.#complaints.length > 0)
      throw new Error(`The page broke its policy:\n${this.#complaints.splice(0).join('\n')}`);
  }

  /**
   * Records the current page for the check at the end of the run, which fails with anything that keeps people from
   * using it. `whole: false`: the page is shown inside another page, like an email, so it has no landmarks of its own.
   */
  async checkAccessible(name: string, how: { whole?: boolean; live?: boolean } = {}): Promise<void> {
    await recordPage(await this.pageToRecord(name, how));
  }

  /**
   * Records a page that runs scripts, in its current state: anything open on it stays open. The caller waits for
   * rendering that is still in progress.
   */
  async checkLive(name: string): Promise<void> {
    // Rows that are about to be replaced are dimmed.
    await this.page.waitForFunction(() => !(globalThis as any).document.querySelector('.kept[aria-busy="true"]'));
    return this.checkAccessible(name, { live: true });
  }

  /** Returns the current page with everything that `recordPage` needs. */
  async pageToRecord(name: string, { whole = true, live = false } = {}): Promise<PageToRecord> {
    const [html, headers] = await Promise.all([
      live ? this.page.evaluate(liveHtml) : this.page.content(),
      this.#last?.allHeaders() ?? {},
    ]);
    return {
      name,
      url: this.page.url(),
      html,
      headers,
      whole,
      live,
      asset: async (url) => {
        const response = await this.context.request.get(url);
        const type = response.headers()['content-type'] ?? 'application/octet-stream';
        return response.ok() ? { type, body: await response.body() } : null;
      },
    };
  }

  async close(): Promise<void> {
    this.check();
    await this.context.close();
  }
}

/** Reports what the browser blocks because of the policy, page errors, and requests to other origins. */
function watch(page: Page, { origin, leavesFor, asks }: Origins, complaints: string[]): void {
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (
      protocol !== 'data:' &&
      asked !== origin &&
      asked !== asks &&
      !(asked === leavesFor && request.isNavigationRequest())
    )
      complaints.push(`asked for ${request.url()}`);
  });
}
