/**
 * Pages as people meet them: a real browser, without JavaScript, that leaves nothing unnoticed. A visit fails when the
 * page breaks its own content security policy, or when anything is asked of another place than the service.
 */
import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Response } from 'playwright-core';
import { START } from './clock.ts';
import { browserProgram } from './browser-program.ts';
import { Eye } from './look-at.ts';
import { liveHtml, recordPage, type PageToRecord } from './looks.ts';
import { PATIENCE_MS } from './shows.ts';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A page that is shown again for a look has no address, and could ask nothing of another service on this machine.
  '--disable-features=LocalNetworkAccessChecks',
];
/** One browser for a test file: start it in before(), close() it in after(). */
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
   * `url` is where the service answers; nothing else may be asked, but pages of `leavesFor`, an origin that people are
   * sent on to.
   */
  static async start(url: string, leavesFor?: string): Promise<TestBrowser> {
    const program = await browserProgram();
    return new TestBrowser(
      await chromium.launch({ ...program, headless: true, args: FLAGS }),
      new URL(url).origin,
      leavesFor,
    );
  }

  /**
   * Somebody with a browser of their own: no cookies, no history, no JavaScript unless `scripts`. `origin`: of another
   * service than the one of the file. `asks`: another origin that pages may ask for scripts and data.
   */
  async visitor(
    origin = this.#origin,
    { scripts = false, asks }: { scripts?: boolean; asks?: string } = {},
  ): Promise<Visitor> {
    const context = await this.#browser.newContext({ javaScriptEnabled: scripts, baseURL: origin });
    if (scripts) await context.clock.setFixedTime(START);
    context.setDefaultTimeout(PATIENCE_MS);
    return new Visitor(context, await context.newPage(), { origin, leavesFor: this.#leavesFor, asks });
  }

  /** A window that looks at recorded pages. */
  eye(): Promise<Eye> {
    return Eye.open(this.#browser);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** Where pages of a visitor come from, where they lead to, and what else they may ask. */
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

  /** Fills the fields by their labels, then presses the button. */
  async submit(button: string, fields: Record<string, string | boolean> = {}): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      const field = this.page.getByLabel(label, { exact: true });
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

  /** Presses what leads to another page, and waits until that is there as a whole: its beginning is there before. */
  async leave(by: Locator): Promise<void> {
    await by.click();
    await this.page.waitForLoadState();
    this.check();
  }

  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  /** What stands on the page, as text. */
  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  /** @throws Error with everything that the page did against its policy so far */
  check(): void {
    if (this.#complaints.length > 0)
      throw new Error(`The page broke its policy:\n${this.#complaints.splice(0).join('\n')}`);
  }

  /**
   * Records the page that is shown now for the look at the end of the run, which fails with what keeps people from using
   * it. `whole` false: it is shown within another page, as a mail is, so it has no landmarks of its own.
   */
  async checkAccessible(name: string, how: { whole?: boolean; live?: boolean } = {}): Promise<void> {
    await recordPage(await this.pageToRecord(name, how));
  }

  /**
   * The same of a page that runs scripts, as it stands: what is open in it stays open. What is still being drawn is waited
   * for by whoever asks.
   */
  checkLive(name: string): Promise<void> {
    return this.checkAccessible(name, { live: true });
  }

  /** The page that is shown now, with what `recordPage` needs. */
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

/** Names what the browser refuses because of the policy, errors of the page, and requests that go elsewhere. */
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
