/** Runs the formal models of docs/model, which are written in Quint. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

export type ModelName = 'seats' | 'checkout' | 'renewal';

/** A state of a trace, in plain values: sets are arrays. */
export type State = Readonly<Record<string, any>>;

/** Text of a model that is replaced, and its replacement. */
export type Mutation = readonly [string, string];

export interface Exploration {
  readonly samples: number;
  readonly steps: number;
  /** number of traces to return */
  readonly traces?: number;
  readonly seed?: number;
  readonly mutations?: readonly Mutation[];
}

export interface Explored {
  readonly isSafe: boolean;
  readonly output: string;
  readonly traces: readonly (readonly State[])[];
}

const require = createRequire(import.meta.url);
const MODELS = new URL('../../../docs/model/', import.meta.url);

/** Returns a value of the Informal Trace Format as a plain value. */
function plain(value: any): any {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  if ('#bigint' in value) return Number(value['#bigint']);
  if ('#set' in value) return value['#set'].map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

/**
 * Walks random traces of a model and checks its invariant `safe` in every state.
 * @throws Error if a mutated text is not in the model once, or if Quint refuses the model
 */
export async function explore(
  model: ModelName,
  { samples, steps, traces = 1, seed = 1, mutations = [] }: Exploration,
): Promise<Explored> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-model-'));
  try {
    let text = await readFile(new URL(`${model}.qnt`, MODELS), 'utf8');
    for (const [from, to] of mutations) {
      if (text.split(from).length !== 2) throw new Error(`${model}.qnt must contain once: ${from}`);
      text = text.replace(from, () => to);
    }
    const file = join(folder, `${model}.qnt`);
    await writeFile(file, text);
    // The default backend downloads a program.
    const numbers = { 'max-samples': samples, 'max-steps': steps, 'n-traces': traces, seed };
    const { failed, output } = await quint([
      'run',
      '--backend=typescript',
      '--invariant=safe',
      `--out-itf=${join(folder, 'trace_{seq}.json')}`,
      ...Object.entries(numbers).map(([name, value]) => `--${name}=${value}`),
      file,
    ]);
    const isViolated = output.includes('[violation]');
    if (failed && !isViolated) throw new Error(output);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
    const read = names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')).states.map(plain));
    return { isSafe: !isViolated, output, traces: await Promise.all(read) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const quint = (args: readonly string[]): Promise<{ readonly failed: boolean; readonly output: string }> =>
  new Promise((resolve) => {
    const program = require.resolve('@informalsystems/quint/dist/src/cli.js');
    execFile(process.execPath, [program, ...args], { maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: `${stdout}${stderr}` }),
    );
  });
