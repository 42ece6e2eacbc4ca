/** Sends the reports of Node's test runner in a shard to the process that started it. */
import { Transform } from 'node:stream';
import { inspect } from 'node:util';
import type { Said, TestEvent } from './messages.ts';

interface Details {
  readonly type?: string;
  readonly duration_ms?: number;
  readonly error?: Error & { failureType?: string; cause?: unknown };
}

/** The summary at the end, which our runner prints for all shards together. */
const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Failures caused by another one, which is reported on its own. */
const FOLLOWS = new Set(['subtestsFailed', 'cancelledByParent']);

const begun = new Set<string>();
const ends = new Map<string, PromiseWithResolvers<void>>();

/** Returns true if the runner starts this file; it doesn't if no test in it matches the requested names. */
export async function hasBegun(file: string): Promise<boolean> {
  // Reports of the runner take a few turns of the event loop to arrive.
  for (let turn = 0; turn < 20 && !begun.has(file); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return begun.has(file);
}

/** Resolves when the last test of the file, and everything after it, has been reported. */
export const hasEnded = (file: string): Promise<void> => endOf(file).promise;

function endOf(file: string): PromiseWithResolvers<void> {
  const end = ends.get(file) ?? Promise.withResolvers<void>();
  ends.set(file, end);
  return end;
}

/** Prints nothing. */
export default new Transform({
  writableObjectMode: true,
  transform({ type, data }: { type: string; data: Data }, _encoding, next) {
    const event = eventOf(type, data);
    if (event && process.connected) process.send!(event);
    if (data.nesting === 0 && type === 'test:enqueue') begun.add(data.name);
    if (data.nesting === 0 && /^test:(?:pass|fail)$/.test(type)) endOf(data.name).resolve();
    next();
  },
});

interface Data {
  readonly name: string;
  readonly nesting: number;
  readonly message?: string;
  readonly skip?: unknown;
  readonly todo?: unknown;
  readonly details?: Details;
}

function eventOf(type: string, { name, nesting, message = '', skip, todo, details }: Data): TestEvent | Said | null {
  const event = { name, nesting, suite: details?.type === 'suite', ms: details?.duration_ms ?? 0, why: null };
  if (type === 'test:dequeue') return { ...event, type: 'begun' };
  if (type === 'test:diagnostic') return SUMMARY.test(message) ? null : { type: 'said', text: message };
  if (type === 'test:pass') return { ...event, type: isSet(skip) || isSet(todo) ? 'skipped' : 'passed' };
  if (type !== 'test:fail') return null;
  if (isSet(todo)) return { ...event, type: 'skipped' };
  const { error } = details!;
  return { ...event, type: 'failed', why: FOLLOWS.has(error?.failureType ?? '') ? null : explained(error) };
}

const isSet = (mark: unknown): boolean => mark !== undefined && mark !== false;

/** Stack trace lines of the runner itself. */
const OF_RUNNER = /\n +at .*\(?node:(?:internal\/(?:test_runner|process|util)|async_hooks)\b.*?(?=(?: \{)?$)/gm;

function explained(error: Details['error']): string {
  const cause = error?.cause ?? error;
  return (typeof cause === 'string' ? cause : inspect(cause, { depth: 8 })).replaceAll(OF_RUNNER, '');
}
