/**
 * Lighthouse scores of the public pages on a phone: each category of each page, and the audits that lower it.
 * Lighthouse needs 176 MB, so it is a separate package (bench/more/lighthouse), which is installed into a temporary
 * folder for a run.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { browserProgram } from '../../server/test/pages/browser-program.ts';
import { DEMO_SITE, startDemo } from '../../server/test/processes/demo-service.ts';
import { PageClient } from '../../server/test/pages/page-client.ts';
import { readCredentials } from '../../server/demo/credentials.ts';
import type { Report } from '../kit/report.ts';

const PACKAGE = fileURLToPath(new URL('./lighthouse/', import.meta.url));
const MIN_SCORE = 99;
/** The performance score varies from run to run: the median counts. */
const RUNS = 3;
const INSTALL_WITHIN_MS = 300_000;
const BROWSER_WITHIN_MS = 60_000;

/** The categories in the order of the report. */
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Audit {
  readonly id: string;
  readonly title: string;
  /** 0 to 1; null if the audit has no score */
  readonly score: number | null;
  readonly displayValue?: string;
}

/** The result for one page, as far as it is shown here. */
interface Result {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<string, { readonly score: number | null; readonly auditRefs: readonly { id: string; weight: number }[] }>
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}

type Lighthouse = (url: string, flags: object) => Promise<{ readonly lhr: Result } | undefined>;

export async function lighthouseRows(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-lighthouse-'));
  process.env.TEST_FOLDER ??= folder;
  try {
    const lighthouse = await install(join(folder, 'package'));
    const demo = await startDemo(folder);
    try {
      await pageRows(report, lighthouse, demo.url, folder);
    } finally {
      await demo.end();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (process.env.TEST_FOLDER === folder) delete process.env.TEST_FOLDER;
  }
}

/** Adds the rows of all pages. `folder`: the folder of the demo, in which the browser stores its files */
async function pageRows(report: Report, lighthouse: Lighthouse, url: string, folder: string): Promise<void> {
  const pages = Object.entries(await pagesOf(url, join(folder, 'data')));
  // Warm-up: first-time work of the process must not count for the page.
  for (const [, { path }] of pages) await (await fetch(url + path)).text();
  const browser = await openBrowser(join(folder, 'profile'));
  try {
    for (const [name, { path, cookie }] of pages) {
      const flags = {
        port: browser.port,
        output: 'json',
        logLevel: 'error',
        ...(cookie && { extraHeaders: { cookie } }),
      };
      const result = await median(async () => {
        const ran = await lighthouse(url + path, flags);
        if (!ran || ran.lhr.runtimeError) throw new Error(`${name}: ${ran?.lhr.runtimeError?.message ?? 'no result'}`);
        return ran.lhr;
      });
      for (const category of CATEGORIES.filter((one) => one !== 'seo' || !cookie))
        addRow(report, name, category, result);
    }
  } finally {
    await browser.end();
  }
}

/** Returns the run with the median performance score. The first run opens the page in a cold browser. */
async function median(run: () => Promise<Result>): Promise<Result> {
  await run();
  const results: Result[] = [];
  while (results.length < RUNS) results.push(await run());
  const performanceOf = ({ categories }: Result): number => categories.performance.score ?? 0;
  return results.toSorted((a, b) => performanceOf(a) - performanceOf(b))[(RUNS - 1) / 2];
}

function addRow(
  report: Report,
  page: string,
  category: (typeof CATEGORIES)[number],
  { categories, audits }: Result,
): void {
  const { score, auditRefs } = categories[category];
  const cost = auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 1)
    .map(({ id }) => [id, audits[id].displayValue].filter(Boolean).join(' '));
  report.add({
    name: `Lighthouse, ${page}: ${category}`,
    figure: score === null ? Number.NaN : Math.round(score * 100),
    reach: MIN_SCORE,
    ...(cost.length > 0 && { note: cost.join(', ') }),
  });
}

/** Installs exactly the versions of the lock file, without package scripts. */
async function install(into: string): Promise<Lighthouse> {
  mkdirSync(into);
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PACKAGE, file), join(into, file));
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: into,
    timeout: INSTALL_WITHIN_MS,
  });
  const { default: lighthouse } = await import(
    pathToFileURL(createRequire(join(into, 'package.json')).resolve('lighthouse')).href
  );
  return lighthouse;
}

/** Opens the browser of the tests, with a debugging port for Lighthouse. */
async function openBrowser(profile: string): Promise<{ port: number; end: () => Promise<void> }> {
  const { executablePath, env } = await browserProgram();
  const child = spawn(
    executablePath,
    ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { env, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const said = join(profile, 'DevToolsActivePort');
  const until = performance.now() + BROWSER_WITHIN_MS;
  for (;;) {
    const port = existsSync(said) ? Number(readFileSync(said, 'utf8').split('\n')[0]) : 0;
    if (port > 0) return { port, end };
    if (child.exitCode !== null || performance.now() > until) break;
    await sleep(50);
  }
  await end();
  throw new Error('the browser did not open its port');
}

interface Look {
  readonly path: string;
  /** session of a logged-in person; their pages are hidden from search engines */
  readonly cookie?: string;
}

/**
 * Returns the pages that visitors see first, and an event as seen by the customer of the demo, with the booking form.
 */
async function pagesOf(url: string, dataDir: string): Promise<Record<string, Look>> {
  const timetable = `${DEMO_SITE}/timetable`;
  const text = await (await fetch(`${url}${timetable}`)).text();
  const events = [...new Set([...text.matchAll(/href="([^"]+\/events\/\d+)"/g)].map(([, path]) => path))];
  const known = readCredentials(dataDir);
  if (!known) throw new Error('the demo has no customer');
  const customer = new PageClient(url);
  const logIn = `/account/${known.provider_id}/log-in`;
  await customer.get(logIn);
  const { email, password } = known.customer;
  await customer.post(logIn, { email, password });
  const cookie = [...customer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const event = await firstOf(events, async (path) => (await customer.get(path)).text.includes(`${path}/book"`));
  if (event === null) throw new Error('no event of the timetable can be booked by the customer of the demo');
  return {
    home: { path: DEMO_SITE },
    timetable: { path: timetable },
    event: { path: event },
    'booking form': { path: event, cookie },
    memberships: { path: `${DEMO_SITE}/memberships` },
    shop: { path: `${DEMO_SITE}/shop` },
  };
}

async function firstOf<T>(all: readonly T[], fits: (one: T) => Promise<boolean>): Promise<T | null> {
  for (const one of all) if (await fits(one)) return one;
  return null;
}
