#!/usr/bin/env node
// Runs on whatever Node the machine has: the project itself needs Node 26 (it starts TypeScript directly), which npm
// installs beside it. This file must therefore stay plain JavaScript that an old Node understands.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureHome } from './home.mjs';
import { whenNpmEnds } from './parents.mjs';
import { explainMissing, explainRuntime } from './runtime.mjs';

const NEEDED = 26;
const RESPAWNED = 'ROLLCALL_RESPAWNED';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const major = Number(process.versions.node.split('.')[0]);

/**
 * For the service, which runs for long: how the C library keeps memory. Otherwise it holds on to what a start has
 * freed, in as many pieces as there were threads. It reads this when a process begins.
 */
const SPARING = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
const isService = process.argv[2] === 'start' && process.platform === 'linux';

if (major >= NEEDED) {
  becomeSparing();
  if (isService && !process.env[RESPAWNED]) whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  if (process.env[RESPAWNED]) {
    // Our own children must be free to respawn again if they are started with the machine's old Node.
    delete process.env[RESPAWNED];
    endWithLauncher();
  }
  ensureHome();
  await rememberCompiled();
  await dispatch(process.argv.slice(2));
} else {
  respawn();
}

/**
 * Continues as the same process with the settings of `SPARING`, unless they are set, or somebody talks to this process.
 */
function becomeSparing() {
  if (!isService || process.channel || typeof process.execve !== 'function') return;
  if (Object.keys(SPARING).some((name) => process.env[name] !== undefined)) return;
  const { execPath, execArgv, argv, env } = process;
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...SPARING });
}

/**
 * Caches the compiled TypeScript for the next time, also for our children. If the cache can't be written, it is
 * compiled each time.
 */
async function rememberCompiled() {
  const { enableCompileCache } = await import('node:module');
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'rollcall');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

/** @param {string[]} argv */
async function dispatch(argv) {
  if (argv[0] !== 'run') {
    const { main, prepared } = await program(argv);
    if (!main) return;
    const code = await main(argv, prepared);
    if (typeof code === 'number') process.exitCode = code;
    return;
  }
  if (!argv[1]) {
    console.error('rollcall run: which file? Usage: rollcall run FILE [arguments]');
    process.exitCode = 2;
    return;
  }
  const file = isAbsolute(argv[1]) ? argv[1] : resolve(root, argv[1]);
  process.argv = [process.argv[0], file, ...argv.slice(2)];
  await import(pathToFileURL(file).href);
}

/**
 * Returns the command line from its bundle, which is built first if a source has changed. `dev` restarts with every
 * change and `build` builds the bundle: they run the sources, and so does everything else if no bundle can be built.
 * A start makes its database meanwhile, if it has none: `prepared` is when that is done. Nothing is made for a start
 * whose port another program uses.
 * @param {string[]} argv
 */
async function program(argv) {
  const [command] = argv;
  let prepared;
  if (command !== 'dev' && command !== 'build') {
    const { currentBundle, showSources } = await import('./bundled.mjs');
    const into = join(root, 'build', 'server');
    // The service that creates its demo in another process runs its sources only if no bundle can be built.
    if (currentBundle(root, into) === null && command !== 'make-demo') {
      const isStart = command === 'start' && argv.slice(1).every((option) => option === '--no-demo');
      const busy = isStart ? await (await import('./port.mjs')).portProblem(process.env) : null;
      if (busy !== null) {
        console.error(`rollcall: ${busy}`);
        process.exitCode = 1;
        return {};
      }
      if (isStart) prepared = runAside('make-database.ts');
      // Takes a gigabyte for two seconds, so not in this process. If it fails, the sources run.
      const bundled = runAside('bundle-service.ts', into);
      const { withProgress } = await import('./progress.mjs');
      await (isStart ? withProgress('preparing the service, once after each update', bundled) : bundled);
    }
    const folder = currentBundle(root, into);
    if (folder) {
      showSources(root, folder);
      const { main } = await import(pathToFileURL(join(folder, 'cli.mjs')).href);
      return { main, prepared };
    }
  }
  const { main } = await import('../server/cli.ts');
  return { main, prepared };
}

/**
 * Runs a program of the server in a process of its own, and waits until it ends, however it does.
 * @param {string} program
 * @param {string[]} args
 */
async function runAside(program, ...args) {
  const { LOG_LEVEL } = process.env;
  const child = spawn(process.execPath, [join(root, 'server', program), ...args], {
    // The fourth channel carries no data: it closes when this process dies for any reason.
    stdio: ['ignore', 'ignore', LOG_LEVEL === 'debug' ? 'inherit' : 'ignore', 'ipc'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  await new Promise((resolve) => {
    child.on('error', resolve);
    child.on('exit', resolve);
  });
  process.off('exit', end);
}

function respawn() {
  const node = process.env[RESPAWNED] ? undefined : installedNode();
  if (!node) {
    console.error(explainMissing(root, NEEDED));
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The fourth channel carries no data: it closes when this process dies for any reason.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...(isService && SPARING), ...process.env, [RESPAWNED]: '1' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  const stop = () => child.kill('SIGTERM');
  if (isService) whenNpmEnds(stop);
  child.on('error', () => {
    console.error(`Rollcall can't start. ${explainRuntime(node, root)}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : code;
    // Also 1: the service has explained its own failure, but nothing explains a Node that can't start.
    const why = code === 127 || code === 126 || code === 1 ? explainRuntime(node, root) : null;
    if (why !== null) console.error(`Rollcall can't start. ${why}`);
    if (!signal) return;
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

function installedNode() {
  const modules = join(root, 'node_modules');
  const candidates = [
    join(modules, '.bin', 'node'),
    join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node'),
  ];
  return candidates.find((path) => existsSync(path));
}

/**
 * Ends with the launcher: one that was killed cannot forward anything, and without this the server would continue
 * unnoticed.
 */
function endWithLauncher() {
  if (!process.channel) return;
  process.on('disconnect', () => process.exit(128 + constants.signals.SIGKILL));
  process.channel.unref();
}
