/** Runs programs on behalf of the drills until they end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LONG_ENOUGH_MS = 180_000;
const run = promisify(execFile);

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly ms?: number;
}

/** Returns the output of a program. @throws Error with its output if it failed */
export async function sh(
  command: string,
  args: readonly string[],
  { env, ms = LONG_ENOUGH_MS }: RunOptions = {},
): Promise<string> {
  try {
    const { stdout } = await run(command, [...args], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
      timeout: ms,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 2 ** 20,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed: ${(stderr + stdout).trim() || message}`, { cause: error });
  }
}
