/**
 * Time from the start of the program to its first response, for the first and a later start, and its memory when idle.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from './kit/report.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/rollcall.mjs', import.meta.url));
const IDLE_MS = 30_000;

interface Running {
  readonly seconds: number;
  readonly megabytes: () => number;
  stop(): Promise<void>;
}

export async function startRows(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-start-'));
  try {
    const cold = await start(folder);
    // Memory settles once the demo has its past and memory that only the start needed is freed: the sleep is part of
    // the measurement, not a wait for a condition.
    await sleep(IDLE_MS);
    const megabytes = cold.megabytes();
    await cold.stop();
    const warm = await start(folder);
    await warm.stop();
    report.add({
      name: 'first start, database made, until it answers',
      figure: cold.seconds,
      reach: 15,
      better: 'lower',
      unit: 's',
    });
    report.add({ name: 'later start, until it answers', figure: warm.seconds, reach: 3, better: 'lower', unit: 's' });
    report.add({
      name: 'memory of the idle server after a first start, without the database',
      figure: megabytes,
      reach: 130,
      better: 'lower',
      unit: 'MB',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(dataDir: string): Promise<Running> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const begin = performance.now();
  const child = spawn(process.execPath, [LAUNCHER, 'start'], {
    env: { ...inherited, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const base = await readyAt(child, ended);
    const answer = await fetch(`${base}/readyz`);
    if (!answer.ok) throw new Error(`the started server responds with ${answer.status} to the readiness check`);
    return { seconds: (performance.now() - begin) / 1000, megabytes: () => residentMegabytes(child.pid!), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readyAt(child: ChildProcess, ended: Promise<void>): Promise<string> {
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout! })) {
      if (line.startsWith('ready ')) {
        child.stdout!.resume();
        return line.slice('ready '.length).trim();
      }
    }
    return null;
  })();
  const base = await Promise.race([ready, ended.then(() => null)]);
  if (base === null) throw new Error('the server ended before it was ready');
  return base;
}

const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
