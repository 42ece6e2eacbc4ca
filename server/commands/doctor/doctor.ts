import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { say, textOption, type Command } from '../command.ts';
import { findingsOfOthers } from '../../scale/doctor/index.ts';
import { CHECKS } from './doctor-checks.ts';
import type { Finding } from './doctor-finding.ts';
import { machineFindings } from './doctor-machine.ts';
import { writeReport } from './doctor-report.ts';
import { configured, withDatabaseUrl } from '../installation.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import type { Config } from '../../config.ts';

/** Returns the problems of a database, each with its remedy. `url` is the owner's; `config` contains the secret key. */
export async function examine(url: string, now: () => number, config: Config): Promise<Finding[]> {
  const client = await connectTo(url);
  try {
    await client.query("SET TIME ZONE 'UTC'");
    const findings: Finding[] = [];
    for (const check of CHECKS) {
      const found = await check(client, now, config);
      findings.push(...found.findings);
      if (found.stop) break;
    }
    return [...findings, ...(await findingsOfOthers(url, config))];
  } finally {
    await client.end();
  }
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check this installation, and report what is wrong and how to fix it',
  options: {
    report: {
      type: 'string',
      value: 'FILE',
      description: 'also write a report without personal data or secrets, which you can read and send to get help',
    },
  },
  details: 'Changes nothing, and sends nothing. The exit code is 1 if something is wrong.',
  async run(given) {
    const findings = machineFindings(configured());
    const file = textOption(given, 'report');
    const report = await withDatabaseUrl(
      async (url, config) => {
        findings.push(...(await examine(url, Date.now, config)));
        return file === undefined ? null : writeReport(url, config, findings);
      },
      { untouched: true },
    );
    if (file !== undefined && report !== null) {
      writeFileSync(resolve(file), report, { mode: 0o600, flag: 'wx' });
      say(`Wrote ${resolve(file)}. Read it before you send it to anybody.\n`);
    }
    for (const { wrong, remedy } of findings) say(`WRONG   ${wrong}\nREMEDY  ${remedy}\n`);
    say(
      findings.length === 0
        ? 'Everything is fine.'
        : `${findings.length} ${findings.length === 1 ? 'problem' : 'problems'} found.`,
    );
    return findings.length === 0 ? 0 : 1;
  },
};
