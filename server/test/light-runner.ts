/**
 * Node's test runner watches every promise of its process from creation to collection, to know which test a stray error
 * belongs to. That takes a third of the processor time of tests that wait for a database. An `AsyncLocalStorage` knows
 * the same at next to no cost, so the runner gets it instead. Must be loaded before `node:test` is.
 */
import { AsyncLocalStorage, type AsyncResource, type HookCallbacks } from 'node:async_hooks';
import { createRequire } from 'node:module';

interface Hooks {
  AsyncResource: typeof AsyncResource;
  createHook(callbacks: HookCallbacks): { enable(): unknown; disable(): unknown };
  executionAsyncId(): number;
}

/** The exports that the runner itself takes these three from. */
const hooks = createRequire(import.meta.url)('node:async_hooks') as Hooks;
const { AsyncResource: Resource, createHook, executionAsyncId } = hooks;

/** The id of the test, suite or hook that runs. */
const running = new AsyncLocalStorage<number>();
const runningId = (): number => running.getStore() ?? executionAsyncId();
let told: HookCallbacks | undefined;

/** A test, in the runner's own words: it is entered before whatever it does. */
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
    // Within: the resource brings the context of the moment at which it was made.
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
// Everybody else gets what Node has.
hooks.AsyncResource = Resource;
hooks.createHook = createHook;
hooks.executionAsyncId = executionAsyncId;
