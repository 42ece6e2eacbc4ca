/**
 * Reports in the dashboard: time that the browser takes until the first chart, not counting the time it waits for the
 * service.
 */
import { build, SHIPPED } from '../../server/areas/sites/dashboard/built.ts';
import { inBrowser } from './paint.ts';
import { logIn, SCREEN } from './dashboard.ts';
import { median, type Report } from '../kit/report.ts';
import type { Installation } from '../kit/installation.ts';

const MAX_MS = 1000;
const TURNS = 5;
const PATIENCE_MS = 60_000;

/** The measured reports, by the address below `reports/`; each is loaded when this selector matches. */
const SHOWN = {
  attendances: '.chart svg',
  'attendances?view=rows': 'main tbody tr',
} as const;

/** Runs in the browser before the page does: records when an element that matches the selector was first painted. */
function watch(selector: string): void {
  const { document, performance, requestAnimationFrame } = globalThis as any;
  const look = (): void => {
    if (document.querySelector(selector) === null || document.querySelector('main .loading') !== null)
      return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => ((globalThis as any).paintedAt = performance.now()), 0));
  };
  requestAnimationFrame(look);
}

/** Runs in the browser: returns the milliseconds until the paint, minus those with a request in flight. */
function ofTheClient(): number {
  const { performance, paintedAt } = globalThis as any;
  const waits = performance
    .getEntriesByType('resource')
    .filter(({ name }: any) => name.includes('/api/v2/'))
    .map(({ startTime, responseEnd }: any) => ({ from: startTime, to: Math.min(responseEnd, paintedAt) }))
    .toSorted((a: any, b: any) => a.from - b.from);
  let own = paintedAt;
  let seen = 0;
  for (const { from, to } of waits) {
    own -= Math.max(0, to - Math.max(from, seen));
    seen = Math.max(seen, to);
  }
  return own;
}

export async function reportScreenRows(
  report: Report,
  installation: Installation,
  { url }: { readonly url: string },
): Promise<void> {
  await build(SHIPPED);
  const cookie = await logIn(installation);
  await inBrowser(async (browser) => {
    for (const [path, selector] of Object.entries(SHOWN)) {
      const figures: number[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        // A context with an empty cache.
        const context = await browser.newContext({ viewport: SCREEN, locale: 'en-US', baseURL: url });
        try {
          await context.addCookies([{ name: 'rollcall_session', value: cookie, url }]);
          const page = await context.newPage();
          await page.addInitScript(watch, selector);
          await page.goto(`/dashboard/${installation.provider}/reports/${path}`);
          await page.waitForFunction(() => (globalThis as any).paintedAt as unknown, undefined, {
            timeout: PATIENCE_MS,
          });
          figures.push(await page.evaluate(ofTheClient));
        } finally {
          await context.close();
        }
      }
      report.add({
        name: `the dashboard shows reports/${path}, beyond the time of the interface`,
        figure: median(figures),
        unit: 'ms',
        reach: MAX_MS,
        better: 'lower',
      });
    }
  });
}
