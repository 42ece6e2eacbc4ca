/** Checks recorded pages in a browser: rules of WCAG 2.2 AA, and that nothing is wider than the window. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { assetBody, type RecordedPage } from './looks.ts';
import { skeletonOf } from './skeleton.ts';
import { applicable, namesInPage, rulesOfSheet, withNames, type StyleRule } from './style-rules.ts';

interface Rules {
  readonly type: 'tag' | 'rule';
  readonly values: string[];
}

const ALL: Rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const OF_PART: Rules = { ...ALL, values: ALL.values.filter((tag) => tag !== 'best-practice') };
/** Rules whose results depend on colors, and those that depend on the width, for a page that is otherwise the same. */
const OF_COLOR: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const OF_WIDTH: Rules = { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] };

const OF_BOTH: Rules = { type: 'rule', values: [...OF_COLOR.values, ...OF_WIDTH.values] };

/** The ways in which a page is checked: people have phones and dark rooms. */
const LOOKS = [
  { name: 'desktop-light', colorScheme: 'light', viewport: { width: 1280, height: 900 }, rules: ALL },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 320, height: 640 }, rules: OF_BOTH },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 }, rules: OF_COLOR },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 360, height: 740 }, rules: OF_WIDTH },
] as const;
/** The looks that find most problems: every rule on a desktop, and whether the page fits a small phone. */
const USUAL = [LOOKS[0], { ...LOOKS[1], name: 'phone', colorScheme: 'light', rules: null }] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The parts of an axe result that are used here. */
interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** One window that shows recorded pages one after the other. */
export class Eye {
  readonly #page: Page;
  #shown: RecordedPage | undefined;
  #found: string[] = [];
  #scheme = 'light';
  readonly #rules = new Map<string, Promise<readonly StyleRule[]>>();

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(browser: Browser): Promise<Eye> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const eye = new Eye(await context.newPage());
    await eye.#page.setViewportSize(LOOKS[0].viewport);
    // Pages within the page have been checked on their own.
    await eye.#page.addInitScript(`if (self === top) {${AXE}\n}`);
    await eye.#page.route('**/*', (route) => eye.#answer(route));
    eye.#page.on('pageerror', (error) => eye.#found.push(String(error)));
    eye.#page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) eye.#found.push(message.text());
    });
    return eye;
  }

  /** Returns the same key for pages that look alike to axe. */
  async kindOf(page: RecordedPage): Promise<string> {
    const skeleton = await this.#page.evaluate(skeletonOf, page.html);
    const names = new Set(await this.#page.evaluate(namesInPage, page.html));
    const sheets = Object.values(page.assets).flatMap((asset) =>
      asset?.type.startsWith('text/css') ? [this.#rulesOf(asset.file)] : [],
    );
    const styles = (await Promise.all(sheets)).map((rules) => applicable(rules, names));
    return hash('sha256', JSON.stringify([skeleton, styles, page.policy, page.whole, page.live]), 'hex').slice(0, 24);
  }

  /** Reads each style sheet once: most pages share them. */
  #rulesOf(file: string): Promise<readonly StyleRule[]> {
    const known = this.#rules.get(file) ?? this.#readSheet(file);
    this.#rules.set(file, known);
    return known;
  }

  async #readSheet(file: string): Promise<readonly StyleRule[]> {
    return (await this.#page.evaluate(rulesOfSheet, assetBody(file).toString())).map(withNames);
  }

  /**
   * Returns everything that keeps people from using the page, in all looks or only the usual ones. With `folder`, a
   * screenshot of each look is kept there as `name-look.png`.
   */
  async look(
    recorded: RecordedPage,
    { folder, usual = false }: { folder?: string; usual?: boolean } = {},
  ): Promise<string[]> {
    const page = this.#page;
    this.#shown = recorded;
    this.#found = [];
    const found: string[] = [];
    await this.#setTo(LOOKS[0]);
    await page.goto(recorded.url);
    if (recorded.live) await page.evaluate(restoreLive);
    for (const look of usual ? USUAL : LOOKS) {
      await this.#setTo(look);
      const rules = recorded.whole || look.rules !== ALL ? look.rules : OF_PART;
      found.push(
        ...[...(await findings(page, rules)), ...this.#found.splice(0)].map(
          (one) => `${recorded.name}, ${look.name}: ${one}`,
        ),
      );
      if (folder)
        await page.screenshot({ path: join(folder, `${recorded.name}-${look.name}.png`), fullPage: !recorded.live });
    }
    return found;
  }

  async #setTo({ viewport, colorScheme }: (typeof LOOKS)[number] | (typeof USUAL)[number]): Promise<void> {
    if (this.#page.viewportSize()?.width !== viewport.width) await this.#page.setViewportSize(viewport);
    if (this.#scheme !== colorScheme) await this.#page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    this.#scheme = colorScheme;
  }

  /** Evaluates a function on the page that was checked last. */
  evaluate<T>(read: () => T): Promise<T> {
    return this.#page.evaluate(read) as Promise<T>;
  }

  close(): Promise<void> {
    return this.#page.context().close();
  }

  async #answer(route: Route): Promise<void> {
    const { url, html, policy, live, assets } = this.#shown!;
    const request = route.request();
    if (request.isNavigationRequest()) {
      // A page embedded in this one has been recorded on its own by another test.
      const isPage = request.frame() === this.#page.mainFrame();
      return route.fulfill({
        body: isPage ? withoutScripts(html) : '',
        headers: {
          'content-type': 'text/html; charset=utf-8',
          ...(policy && isPage && !live && { 'content-security-policy': policy }),
        },
      });
    }
    const asset = assets[request.url()];
    if (asset === undefined) this.#found.push(`${url} asks for ${request.url()}, which was not recorded`);
    return asset
      ? route.fulfill({
          body: assetBody(asset.file),
          headers: { 'content-type': asset.type, 'cache-control': 'no-store' },
        })
      : route.fulfill({ status: 404 });
  }
}

/** Removes scripts: the page is checked as they left it. */
const withoutScripts = (html: string): string =>
  html
    .replaceAll(/<script\b[^>]*>[^]*?<\/script\s*>/gi, '')
    .replaceAll(/<link\b[^>]*\brel="?(?:modulepreload|preload|prefetch|manifest)\b[^>]*>/gi, '');

/** The DOM types used below; the tests are compiled without them. */
type Dom = any;

/**
 * Restores the state that the marks of `liveHtml` stand for. Runs in the browser, so it uses nothing from the
 * surrounding scope.
 */
function restoreLive(): void {
  const { document } = globalThis as Dom;
  for (const element of document.querySelectorAll('[data-look-indeterminate]')) element.indeterminate = true;
  for (const dialog of document.querySelectorAll('dialog[data-look-modal]')) {
    dialog.removeAttribute('open');
    dialog.showModal();
  }
  for (const element of document.querySelectorAll('[data-look-popover]')) element.showPopover();
  for (const element of document.querySelectorAll('[data-look-scroll]'))
    [element.scrollLeft, element.scrollTop] = element.getAttribute('data-look-scroll').split(' ').map(Number);
  document.querySelector('[data-look-focus]')?.focus({ preventScroll: true });
}

/** Returns the findings of axe; without rules, checks only whether the page fits. */
async function findings(page: Page, rules: Rules | null): Promise<string[]> {
  const violations =
    rules === null
      ? []
      : await page.evaluate<Finding[], Rules>(
          async (runOnly) =>
            (
              await (globalThis as any).axe.run((globalThis as any).document, {
                runOnly,
                resultTypes: ['violations'],
                // No rule of these reads style sheets, which would be parsed for each page.
                preload: { assets: ['media'] },
              })
            ).violations,
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
