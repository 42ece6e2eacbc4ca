/**
 * Pages as people meet them: a real browser, without JavaScript, that leaves nothing unnoticed. A visit fails when the
 * page breaks its own content security policy, or when anything is asked of another place than the service.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Response } from 'playwright-core';
import { START } from './clock.ts';
import { browserProgram } from './browser-program.ts';
import { PATIENCE_MS } from './shows.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A page that is shown again for a look has no address, and could ask nothing of another service on this machine.
  '--disable-features=LocalNetworkAccessChecks',
];
interface Rules {
  readonly type: 'tag' | 'rule';
  readonly values: string[];
}

const ALL: Rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const OF_PART: Rules = { ...ALL, values: ALL.values.filter((tag) => tag !== 'best-practice') };
/** What other colours, and what another width, can change of a page that is the same in all else. */
const OF_COLOR: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const OF_WIDTH: Rules = { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] };

/** What a page is looked at in: people have phones and dark rooms. */
const LOOKS = [
  { name: 'desktop-light', colorScheme: 'light', viewport: { width: 1280, height: 900 }, rules: ALL },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 }, rules: OF_COLOR },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 740 }, rules: OF_WIDTH },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 320, height: 640 }, rules: OF_WIDTH },
] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe answers, as far as it is told here. */
interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

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
    return new Visitor(this.#browser, context, await context.newPage(), { origin, leavesFor: this.#leavesFor, asks });
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
  readonly #browser: Browser;
  readonly #origins: Origins;
  readonly #complaints: string[] = [];
  #twin: Promise<Page> | undefined;
  #last: Response | null = null;

  constructor(browser: Browser, context: BrowserContext, page: Page, origins: Origins) {
    this.#browser = browser;
    this.context = context;
    this.page = page;
    this.#origins = origins;
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
   * @throws Error with what keeps people from using the page that is shown now, in any of the looks.
   * Checking needs scripts: it is done on a twin of the page, with the same text and headers, in a window where they
   * may run. With TEST_SCREENSHOTS, a folder, every look is kept there as `name-look.png`. `whole` false: it is shown
   * within another page, as a mail is, so it has no landmarks of its own.
   */
  async checkAccessible(name: string, { whole = true } = {}): Promise<void> {
    const [body, url, headers] = [await this.page.content(), this.page.url(), (await this.#last?.allHeaders()) ?? {}];
    const policy = headers['content-security-policy'];
    const page = await (this.#twin ??= this.#browser.newPage({ baseURL: this.#origins.origin }));
    const found: string[] = [];
    watch(page, { ...this.#origins, leavesFor: undefined }, found);
    try {
      await page.route(url, (route) =>
        route.fulfill({
          body,
          headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy ?? '' },
        }),
      );
      await page.goto(url);
      await page.evaluate(AXE);
      for (const look of LOOKS) {
        await page.setViewportSize(look.viewport);
        await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
        found.push(
          ...(await findings(page, whole || look.rules !== ALL ? look.rules : OF_PART)).map(
            (finding) => `${name}, ${look.name}: ${finding}`,
          ),
        );
        const folder = process.env.TEST_SCREENSHOTS;
        if (folder) await page.screenshot({ path: join(folder, `${name}-${look.name}.png`), fullPage: true });
      }
    } finally {
      page.removeAllListeners();
      await page.unrouteAll();
    }
    if (found.length > 0) throw new Error(found.join('\n'));
  }

  /**
   * The same of a page that runs scripts, as it stands: what is open in it stays open. What is still being drawn is waited
   * for by whoever asks.
   */
  async checkLive(name: string): Promise<void> {
    const { page } = this;
    const before = page.viewportSize();
    await page.evaluate(AXE);
    const found: string[] = [];
    try {
      for (const look of LOOKS) {
        await page.setViewportSize(look.viewport);
        await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
        found.push(...(await findings(page, look.rules)).map((finding) => `${name}, ${look.name}: ${finding}`));
        const folder = process.env.TEST_SCREENSHOTS;
        if (folder) await page.screenshot({ path: join(folder, `${name}-${look.name}.png`) });
      }
    } finally {
      if (before) await page.setViewportSize(before);
      await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    }
    if (found.length > 0) throw new Error(found.join('\n'));
  }

  async close(): Promise<void> {
    this.check();
    await this.context.close();
    await (await this.#twin)?.context().close();
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

/** Rules of WCAG 2.2 AA, and that nothing is wider than the window: people on a phone should not scroll sideways. */
async function findings(page: Page, rules: Rules): Promise<string[]> {
  const violations = await page.evaluate<Finding[], Rules>(
    async (runOnly) =>
      (await (globalThis as any).axe.run((globalThis as any).document, { runOnly, resultTypes: ['violations'] }))
        .violations,
    rules,
  );
  const wider = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return [
    ...violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map((n) => `  ${n.html}\n    ${n.failureSummary ?? ''}`).join('\n')}`,
    ),
    ...(wider > 0 ? [`the page is ${wider} px wider than the window`] : []),
  ];
}
