/**
 * Node's test runner tracks every promise of its process from creation to collection, to attribute stray errors to a
 * test. That takes a third of the processor time of tests that wait for a database. An `AsyncLocalStorage` provides the
 * same at almost no cost, so the runner gets that instead. Must be loaded before `node:test`.
 */
import { AsyncLocalStorage, type AsyncResource, type HookCallbacks } from 'node:async_hooks';
import { createRequire } from 'node:module';

interface Hooks {
  AsyncResource: typeof AsyncResource;
  createHook(callbacks: HookCallbacks): { enable(): unknown; disable(): unknown };
  executionAsyncId(): number;
}

/** The exports that the runner imports these three from. */
const hooks = createRequire(import.meta.url)('node:async_hooks') as Hooks;
const { AsyncResource: Resource, createHook, executionAsyncId } = hooks;

/** The id of the current test, suite or hook. */
const running = new AsyncLocalStorage<number>();
const runningId = (): number => running.getStore() ?? executionAsyncId();
let told: HookCallbacks | undefined;

/** A test, in the runner's own terms: it is entered before each of its callbacks. */
class Scope extends Resource {
  constructor(type: string, options?: ConstructorParameters<typeof AsyncResource>[1]) {
    super(type, options);
    told?.init?.(this.asyncId(), type, runningId(), this);
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: any[]) => Result,
    self?: This,
    ...args: any[]
  ): Result {
    // Inside, because the resource restores the context of its creation.
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => Reflect.apply(work, self, args)));
  }
}

hooks.AsyncResource = Scope;
hooks.createHook = (callbacks) => ({
  enable: () => (told = callbacks),
  disable: () => (told = undefined),
});
hooks.executionAsyncId = runningId;
await import('node:test');
// All other code gets Node's own.
hooks.AsyncResource = Resource;
hooks.createHook = createHook;
hooks.executionAsyncId = executionAsyncId;
