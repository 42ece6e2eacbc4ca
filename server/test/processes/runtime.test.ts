/** The launcher explains each way in which the Node that npm installed can't run, and ends with npm. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ensureHome } from '../../../bin/home.mjs';
import { portProblem } from '../../../bin/port.mjs';
import { withProgress } from '../../../bin/progress.mjs';
import { explainMissing, explainRuntime, type Probed } from '../../../bin/runtime.mjs';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-runtime-'));
});
after(() => rmSync(folder, { recursive: true }));

const ROOT = '/opt/rollcall';
const explained = (probed: Partial<Probed>) =>
  explainRuntime('/opt/rollcall/node', ROOT, () => ({ status: 1, stderr: '', ...probed }));

test('each reason why Node cannot start is explained, with its remedy', () => {
  const loader = 'node: error while loading shared libraries: ';
  const cases: [Partial<Probed>, RegExp][] = [
    [{ status: null, error: { code: 'ENOENT' } }, /no glibc.*\nRemedy: use a system with glibc/],
    [{ status: null, error: { code: 'EACCES' } }, /noexec.*\nRemedy: run "chmod \+x \/opt\/rollcall\/node"/],
    [{ status: null, error: { code: 'ENOEXEC' } }, /another kind of processor.*\nRemedy: run "npm ci" in \/opt/],
    [{ status: 127, stderr: `${loader}libatomic.so.1: cannot open` }, /\nRemedy: .*"apt-get install libatomic1"/],
    [{ status: 127, stderr: `${loader}libfoo.so.2: cannot open` }, /libfoo\.so\.2\.\nRemedy: install the package/],
    [{ status: 1, stderr: "version `GLIBC_2.28' not found" }, /too old.*GLIBC 2\.28\.\nRemedy: use a newer system/],
    [{ status: 9, stderr: 'odd' }, /doesn't start: odd\.\nRemedy: run "npm ci"/],
  ];
  for (const [probed, expected] of cases) assert.match(explained(probed) ?? 'nothing', expected);
  assert.equal(explained({ status: 0 }), null);
});

const write = (name: string, bytes: Buffer, mode: number) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  chmodSync(file, mode);
  return file;
};

test('programs that the system itself refuses to run are explained', { skip: process.platform !== 'linux' }, () => {
  const own = Buffer.alloc(64);
  const opened = openSync(process.execPath, 'r');
  readSync(opened, own, 0, own.length, 0);
  closeSync(opened);
  const other = Buffer.from(own);
  // The kind of processor in the header of the program: one that no machine here has.
  other.writeUInt16LE(0x3f, 18);
  assert.match(explainRuntime(write('other', other, 0o755), ROOT) ?? '', /another kind of processor/);
  assert.match(explainRuntime(write('plain', own, 0o644), ROOT) ?? '', /may not be executed/);
});

test('packages of another processor are named as the reason', () => {
  const other = process.arch === 'x64' ? 'arm64' : 'x64';
  if (process.platform === 'linux')
    assert.match(explainMissing(ROOT, 26, [`node-linux-${other}`]), /installed for another kind of processor/);
  assert.match(explainMissing(ROOT, 26, []), /^Rollcall needs Node\.js 26 or newer[^]*\nRemedy: run "npm ci"/);
});

test('a port that another program uses is found before anything is created', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const env = { PORT: String(port), HOST: '127.0.0.1' };
  assert.match((await portProblem(env)) ?? '', new RegExp(`^Port ${port} is in use.*Remedy: .*PORT=${port + 1}\\.$`));
  assert.equal(await portProblem({ ...env, ROLE: 'worker' }), null);
  await once(other.close(), 'close');
  assert.equal(await portProblem(env), null);
});

test('an account without a name and a home folder gets one that exists', () => {
  const env: NodeJS.ProcessEnv = {};
  ensureHome(env, () => {
    throw new Error('uv_os_homedir returned ENOENT');
  });
  assert.deepEqual(env, { HOME: '/' });
  ensureHome(env, () => '/home/ada');
  assert.deepEqual(env, { HOME: '/' });
});

test('work that takes long shows that it continues', async () => {
  const lines: string[] = [];
  let done!: () => void;
  const work = new Promise<void>((resolve) => (done = resolve));
  const print = (line: string) => {
    if (lines.push(line) === 3) done();
  };
  await withProgress('creating the database', work, { everyMs: 5, print });
  assert.deepEqual([lines[0], lines[1]], ['Creating the database …', 'Still creating the database (0 s) …']);
});

test('when npm is killed, the service that it started ends', { skip: process.platform !== 'linux' }, async () => {
  const parents = JSON.stringify(join(import.meta.dirname, '..', '..', '..', 'bin', 'parents.mjs'));
  mkdirSync(join(folder, 'started'));
  const script = join(folder, 'started', 'service.mjs');
  writeFileSync(
    script,
    `import { whenNpmEnds } from ${parents};
    whenNpmEnds(() => { console.log('ended'); process.exit(); });
    console.log('runs');
    setInterval(() => {}, 1000);`,
  );
  // In place of npm: a process that starts a shell, which starts the service and stays.
  const npm = spawn(
    process.execPath,
    [
      '-e',
      `require('child_process').spawn('sh', ['-c', process.argv[1]], { stdio: ['ignore', 'inherit', 'inherit'] })`,
    ].concat(`"${process.execPath}" "${script}"; :`),
    { env: { ...process.env, npm_lifecycle_event: 'start' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  for await (const piece of npm.stdout) {
    said += piece;
    if (said === 'runs\n') npm.kill('SIGKILL');
  }
  assert.equal(said, 'runs\nended\n');
});
