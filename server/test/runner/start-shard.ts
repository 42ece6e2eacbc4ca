import '../light-runner.ts';

// Only now: it loads the test runner.
await import('./shard.ts');
