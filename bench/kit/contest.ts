/** One row of the table: the service against pgbench, in alternating turns, never at the same time. */
import { PGBENCH_MISSING, findPgbench, pgbench } from './pgbench.ts';
import { median, paired } from './report.ts';
import type { Report } from './report.ts';
import type { Script, Shape } from './script.ts';

export interface Contest {
  readonly name: string;
  /** requests per transaction of pgbench that the service has to reach; null if it is only shown */
  readonly reach: number | null;
  /** one turn, in requests per second */
  ours(): Promise<number>;
  /** the script uses ids from responses, which pgbench can't do in a pipeline */
  readonly unpipelined?: true;
  /** one turn, in runs of the script per second */
  theirs(shape: Shape, play: Play): Promise<number>;
}

/** Runs a script against a database repeatedly for a number of seconds: pgbench, or a single run in tests. */
export type Play = (
  url: string,
  script: Script,
  seconds: number,
  vars?: Readonly<Record<string, number>>,
) => Promise<{ readonly tps: number; readonly transactions: number }>;

export interface Length {
  readonly turns: number;
  /** duration of each turn */
  readonly seconds: number;
}

export const CLIENTS = 16;

export async function contend(
  report: Report,
  { name, reach, ours, theirs, unpipelined }: Contest,
  { turns }: Length,
): Promise<void> {
  await ours(); // warm-up: the first turn of a process runs code that is not compiled yet
  if (!(await findPgbench())) {
    const figures: number[] = [];
    for (let turn = 0; turn < turns; turn++) figures.push(await ours());
    report.add({
      name,
      figure: median(figures),
      against: Number.NaN,
      reach,
      unit: '/s',
      note: `pgbench is not installed: ${PGBENCH_MISSING}`,
    });
    return;
  }
  const { figure, against, ratio } = await paired(turns, ours, () => theirs('round trips', runScript));
  report.add({ name, figure, against, ratio, reach, unit: '/s' });
  if (unpipelined) return;
  const pipelined = await paired(1, ours, () => theirs('pipelined', runScript));
  report.add({ name: '  against pgbench pipelined, one turn', ...pipelined, unit: '/s' });
}

/**
 * Runs a measurement. If it fails, the table has the reason instead of a figure, and the exit code is 1; the others
 * still run.
 */
export async function measured(report: Report, name: string, measure: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  process.stderr.write(`${name} ...`);
  try {
    await measure();
    process.stderr.write(` ${((performance.now() - begin) / 1000).toFixed(0)} s\n`);
  } catch (error) {
    process.stderr.write(' failed\n');
    const cause = (error as Error).cause;
    report.add({
      name,
      figure: Number.NaN,
      note: `${(error as Error).message}${cause instanceof Error ? ` (${cause.message})` : ''}`,
    });
  }
}

/** Session options like those of the service: its role, so that row-level security applies, and its settings. */
const AS_THE_SERVICE = '-c role=rollcall_app -c TimeZone=UTC -c jit=off -c max_parallel_workers_per_gather=0';

export function sessionUrl(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(AS_THE_SERVICE)}`;
}

const runScript: Play = (url, { script, vars }, seconds, more = {}) =>
  pgbench({ url: sessionUrl(url), script, vars: { ...vars, ...more }, clients: CLIENTS, seconds });
