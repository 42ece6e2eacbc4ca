// The program behind `npm run test:random`: runs every property test that needs no database, with values that no run
// has tried before. It reports and never fails, because a counterexample found by chance says nothing about the current
// change. Add the one that it prints to the test as a case of its own, and fix the code. Argument: number of tries for
// each property, instead of those in the tests.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const [runs = ''] = process.argv.slice(2);
const files = globSync('{server,bench}/**/*.test.ts').filter((file) => {
  const text = readFileSync(file, 'utf8');
  return /from '.*\/properties\.ts'/.test(text) && !/from '.*(world|database)\.ts'/.test(text);
});

const { stdout, status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files],
  { env: { ...process.env, PROPERTY_SEED: 'random', PROPERTY_RUNS: runs }, encoding: 'utf8', maxBuffer: 1 << 26 },
);
if (status === 0) {
  console.log(`Random values: no counterexample in ${files.length} files.`);
} else {
  console.log(stdout.slice(Math.max(0, stdout.indexOf('failing tests:'))));
  console.log('Random values: counterexamples found, see above. This is a report, not a failure of this run.');
}
