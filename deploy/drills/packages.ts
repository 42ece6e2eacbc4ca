/** The Debian packages that a cell needs. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { sh } from './shell.ts';

const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** Gives a program a fake clock of its own. */
export const FAKETIME = `${LIBRARIES}/faketime/libfaketimeMT.so.1`;

/** The packages, each with a file that it installs. */
const PACKAGES: Readonly<Record<string, string>> = {
  'etcd-server': '/usr/bin/etcd',
  'etcd-client': '/usr/bin/etcdctl',
  haproxy: '/usr/sbin/haproxy',
  iproute2: '/usr/sbin/ip',
  libfaketime: FAKETIME,
  patroni: '/usr/bin/patroni',
  pgbackrest: '/usr/bin/pgbackrest',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  prometheus: '/usr/bin/promtool',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/__init__.py',
};

/** Script that every package runs before it starts its service; exit code 101 forbids it. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Checks that the packages are there, or installs them. @throws Error if some are missing and `install` is not set */
export async function providePackages(install: boolean): Promise<void> {
  const missing = Object.keys(PACKAGES).filter((name) => !existsSync(PACKAGES[name]));
  if (missing.length === 0) return;
  if (!install)
    throw new Error(
      `These packages are missing: ${missing.join(', ')}. Remedy: run it with --install on a machine that is meant for tests, or install them.`,
    );
  const own = !existsSync(POLICY);
  if (own) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await sh('apt-get', ['update'], { ms: 600_000 });
    await sh('apt-get', ['install', '--yes', '--no-install-recommends', ...missing], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      ms: 1_200_000,
    });
  } finally {
    if (own) rmSync(POLICY);
  }
}
