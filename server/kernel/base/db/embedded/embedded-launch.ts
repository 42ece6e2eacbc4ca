import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

interface Account {
  uid: number;
  gid: number;
}

/** The way PostgreSQL programs are started here: with a command line prefix, or under another account. */
export interface Launch {
  prefix: string[];
  account?: Account;
}

/** SIGINT is PostgreSQL's fast shutdown: the kernel sends it when our process dies for any reason. */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

/**
 * Chooses how to start PostgreSQL, which refuses to run as root; and initdb refuses an account without a name. A user
 * namespace that shows the caller under a known ordinary account solves both: the files stay the caller's own. If user
 * namespaces are forbidden, root starts it under the account `postgres` or `nobody` instead.
 * @param cluster the folder of the database cluster; if it exists, its owner decides
 */
export function chooseLaunch(cluster: string): Launch {
  const dieWithParent = works(DIE_WITH_PARENT) ? DIE_WITH_PARENT : [];
  const root = process.getuid?.() === 0;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (root && owner && owner.uid !== 0) return { prefix: dieWithParent, account: { uid: owner.uid, gid: owner.gid } };
  if (!root && hasName()) return { prefix: dieWithParent };

  const account = ordinaryAccount();
  const namespace = account && ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
  if (namespace && works(namespace)) return { prefix: [...namespace, ...dieWithParent] };
  if (!root) return { prefix: dieWithParent };
  if (!account) {
    throw new Error(
      'PostgreSQL does not run as root, and this machine has neither user namespaces nor an account "postgres" or "nobody". ' +
        'Remedy: start Rollcall as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  return { prefix: dieWithParent, account };
}

/**
 * Gives a folder and its contents to the account that PostgreSQL runs under, and makes it reachable for that account.
 */
export function handOver(launch: Launch, dataDir: string, folder: string): void {
  if (!launch.account) return;
  chmodSync(dataDir, statSync(dataDir).mode | 0o111);
  if (statSync(folder).uid !== launch.account.uid) chownTree(folder, launch.account);
}

function chownTree(path: string, account: Account): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chownSync(path, account.uid, account.gid);
  if (entry.isDirectory()) for (const name of readdirSync(path)) chownTree(join(path, name), account);
}

function works(prefix: string[]): boolean {
  return spawnSync(prefix[0], [...prefix.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function ordinaryAccount(): Account | undefined {
  let lines: string[][];
  try {
    lines = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return undefined;
  }
  const line = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  return line && { uid: Number(line[2]), gid: Number(line[3]) };
}
