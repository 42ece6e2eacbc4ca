/** A command of `rollcall`, and the errors that it may end with. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** name of the value in the help */
  readonly value?: string;
  readonly description: string;
}

export interface Given {
  /** by position, as many as the command names, or more for a last one with `…` */
  readonly positionals: readonly string[];
  /** text, true, or absent */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Command {
  /** one or two words */
  readonly name: string;
  readonly summary: string;
  /** further lines for `--help` */
  readonly details?: string;
  /** names of the arguments; the last may end in `…`, and then stands for one or more */
  readonly positionals?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Resolves to the exit code. */
  run(given: Given): Promise<number>;
}

/** Runs the process that creates the demo business of a service that starts; no person gives this command. */
export const MAKE_DEMO = 'make-demo';

/** Compiles a new bundle before anything runs it; no person gives this command. */
export const WARM_UP = 'warm-up';

/** An error that the person who runs the command can fix: shown without a stack; exit code 1. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
}

/** The command line itself is wrong; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const say = (line = ''): void => void process.stdout.write(`${line}\n`);

export function textOption(given: Given, name: string): string | undefined {
  const value = given.options[name];
  return typeof value === 'string' ? value : undefined;
}

export function requiredOption(given: Given, name: string): string {
  const value = textOption(given, name);
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
  return value;
}

/** Returns the id in an option or argument. */
export function wholeId(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${what} must be an id, not "${text}".`);
  return Number(text);
}
