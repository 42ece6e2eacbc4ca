/** What of the machine stands in the way of an installation. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Finding } from './doctor-checks.ts';

const NODE = 26;
const LEAST_FREE = 500_000_000;

export function machineFindings({ dataDir, databaseUrl }: Config): Finding[] {
  const findings: Finding[] = [];
  if (Number(process.versions.node.split('.')[0]) < NODE)
    findings.push({ wrong: `Node.js is ${process.version}.`, remedy: `Install Node.js ${NODE} or newer.` });
  const folder = resolve(dataDir);
  if (databaseUrl || !existsSync(folder)) return findings;
  const owner = statSync(folder).uid;
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && owner !== me)
    findings.push({
      wrong: `${folder} belongs to account ${owner}, this is account ${me}.`,
      remedy: `Run as that account, or give it the folder: chown -R ${me} ${folder}.`,
    });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LEAST_FREE)
    findings.push({
      wrong: `Only ${Math.round((bavail * bsize) / 1e6)} MB are free where ${folder} is.`,
      remedy: 'Free some space: PostgreSQL stops when the disk is full.',
    });
  return findings;
}
