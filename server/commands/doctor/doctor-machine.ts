/** Problems of the machine that affect an installation. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAppleKeys } from '../../kernel/base/passes/index.ts';
import type { Config } from '../../config.ts';
import type { Finding } from './doctor-finding.ts';

const NODE = 26;
const MIN_FREE = 500_000_000;
/** A person must request a new certificate from Apple; they should have time for it. */
const SOON_MS = 30 * 86_400_000;

export function machineFindings(config: Config, now: number = Date.now()): Finding[] {
  const { dataDir, databaseUrl } = config;
  const findings = passFindings(config, now);
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
  if (bavail * bsize < MIN_FREE)
    findings.push({
      wrong: `Only ${Math.round((bavail * bsize) / 1e6)} MB are free where ${folder} is.`,
      remedy: 'Free some space: PostgreSQL stops when the disk is full.',
    });
  return findings;
}

/** Checks the certificate that signs passes for Apple Wallet: it is valid for a year. */
function passFindings({ appleWallet }: Config, now: number): Finding[] {
  if (!appleWallet) return [];
  const remedy =
    'Request a new certificate for the same Pass Type ID (docs/guide/wallet-passes.md), set it, and restart the service.';
  try {
    const { endsAt } = readAppleKeys(appleWallet);
    const day = new Date(endsAt).toISOString().slice(0, 10);
    if (endsAt <= now)
      return [{ wrong: `The certificate for Apple Wallet ended on ${day}: passes are not offered.`, remedy }];
    return endsAt - now < SOON_MS ? [{ wrong: `The certificate for Apple Wallet ends on ${day}.`, remedy }] : [];
  } catch (error) {
    const [wrong, ...how] = (error as Error).message.split(' Remedy: ');
    return [{ wrong, remedy: how.join(' ') }];
  }
}
