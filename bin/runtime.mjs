// Why the Node that npm installed can't run on this machine, in words that help. Plain JavaScript that an old Node
// understands, because nothing else runs yet.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Kinds of processors, each with its number in the header of a program. */
const MACHINES = { x64: 0x3e, arm64: 0xb7 };
const PROCESSORS = Object.keys(MACHINES);

/**
 * Runs `node --version` and explains its failure.
 * @param {string} node path of the program
 * @param {string} root of the project
 * @param {(file: string) => { status: number | null, stderr: string, error?: { code?: string } }} run
 * @returns {string | null} null: it runs
 */
export function explainRuntime(node, root, run = probe) {
  const { status, stderr, error } = run(node);
  if (status === 0) return null;
  const code = error && error.code;
  if (code === 'ENOENT')
    return (
      `${node} can't run here: this system has no glibc, the C library that it needs (Alpine Linux has musl instead).\n` +
      'Remedy: use a system with glibc, such as Debian, Ubuntu or Fedora, or the container image of Rollcall.'
    );
  if (code === 'EACCES')
    return (
      `${node} may not be executed. Either the file has lost its permission, or its file system is mounted with "noexec".\n` +
      `Remedy: run "chmod +x ${node}". If that changes nothing, move the project to a file system without "noexec".`
    );
  // The system lets a shell try such a file, which ends with any error.
  if (code === 'ENOEXEC' || isForeign(node))
    return (
      `${node} was made for another kind of processor than this machine has (${process.arch}).\n` +
      `Remedy: run "npm ci" in ${root} on this machine. Don't copy node_modules from another one.`
    );
  const [, library] = /loading shared libraries: ([^:\s]+):/.exec(stderr) || [];
  if (library === 'libatomic.so.1')
    return (
      'A library is missing: libatomic.so.1.\n' +
      'Remedy: on Debian or Ubuntu, "apt-get install libatomic1"; on Fedora, "dnf install libatomic". Then run this again.'
    );
  if (library)
    return `A library is missing: ${library}.\nRemedy: install the package that has it, then run this again.`;
  const [, version] = /version [`'](GLIBC(?:XX)?_[\d.]+)' not found/.exec(stderr) || [];
  if (version)
    return (
      `This system is too old: its libraries lack ${version.replace('_', ' ')}.\n` +
      'Remedy: use a newer system, for example Debian 12 or Ubuntu 22.04, or the container image of Rollcall.'
    );
  return (
    `${node} doesn't start: ${(error && error.message) || stderr.trim() || `it ended with ${status}`}.\n` +
    `Remedy: run "npm ci" in ${root} again.`
  );
}

/**
 * Explains that there is no Node at all to continue on.
 * @param {string} root of the project
 * @param {number} needed
 * @param {string[]} installed names of folders in `node_modules`
 * @returns {string}
 */
export function explainMissing(root, needed, installed = packagesIn(root)) {
  const other = PROCESSORS.find((cpu) => installed.includes(`node-linux-${cpu}`));
  if (other !== undefined && process.platform === 'linux')
    return (
      `${join(root, 'node_modules')} was installed for another kind of processor (${other}); this machine has ${process.arch}.\n` +
      `Remedy: run "npm ci" in ${root} on this machine.`
    );
  if (process.platform === 'linux' && !PROCESSORS.includes(process.arch))
    return (
      `Rollcall runs on processors of the kinds ${PROCESSORS.join(' and ')}; this machine has ${process.arch}.\n` +
      `Remedy: use another machine, or install Node ${needed} from https://nodejs.org and set DATABASE_URL.`
    );
  return (
    `Rollcall needs Node.js ${needed} or newer; this is ${process.version} and none was found in ${join(root, 'node_modules')}.\n` +
    `Remedy: run "npm ci" in ${root} (it brings Node ${needed} along on Linux), or install Node ${needed} from https://nodejs.org.`
  );
}

/**
 * Returns true if the program was made for another kind of processor than this process runs on.
 * @param {string} program
 */
function isForeign(program) {
  const header = Buffer.alloc(20);
  try {
    const file = openSync(program, 'r');
    readSync(file, header, 0, header.length, 0);
    closeSync(file);
  } catch {
    return false;
  }
  const isProgram = header.toString('latin1', 0, 4) === '\x7fELF';
  return isProgram && process.arch in MACHINES && header.readUInt16LE(18) !== MACHINES[process.arch];
}

/** @param {string} node */
const probe = (node) => spawnSync(node, ['--version'], { encoding: 'utf8' });

/** @param {string} root */
function packagesIn(root) {
  try {
    return readdirSync(join(root, 'node_modules'));
  } catch {
    return [];
  }
}
