/** The command line: `rollcall COMMAND`. */
import { RELEASE } from './kernel/release.ts';
import { findCommand, helpOf, overview, readArguments, usageOf } from './commands/arguments.ts';
import {
  disableAccountCommand,
  enableAccountCommand,
  endSessionsCommand,
  resetSecondFactor,
  sendPasswordLink,
  showAccount,
} from './commands/account.ts';
import {
  approveDirectAuthCommand,
  listApplications,
  refuseDirectAuthCommand,
  setApplication,
} from './commands/application.ts';
import { backupCommand } from './commands/backup.ts';
import { say, UsageError, type Command } from './commands/command.ts';
import { advanceClockCommand, showClock } from './commands/clock.ts';
import { build } from './commands/build.ts';
import { dev } from './commands/dev.ts';
import { doctor } from './commands/doctor.ts';
import { explainFailure } from './commands/failures.ts';
import { listFeed, retryFeed } from './commands/feed.ts';
import { importCustomersCommand } from './commands/import-customers.ts';
import { importScheduleCommand } from './commands/import-schedule.ts';
import { listKeys, rotateKeysCommand } from './commands/keys.ts';
import { moveCommand } from './commands/move.ts';
import { exportBusinessCommand, importBusinessCommand } from './commands/move-business.ts';
import { createOperator, listOperators, revokeOperator } from './commands/operator-token.ts';
import { ledgerCheck, ledgerExport } from './commands/ledger.ts';
import { listMail, mailBounce, showMail } from './commands/mail.ts';
import { createProviderCommand, inviteOwnerCommand, listProviders } from './commands/provider.ts';
import { restoreCommand } from './commands/restore.ts';
import { setUpCommand } from './commands/set-up.ts';
import { start } from './commands/start.ts';
import { createToken, listTokens, revokeToken } from './commands/token.ts';

export const COMMANDS: readonly Command[] = [
  start,
  dev,
  build,
  setUpCommand,
  createProviderCommand,
  inviteOwnerCommand,
  listProviders,
  showClock,
  advanceClockCommand,
  createToken,
  listTokens,
  revokeToken,
  createOperator,
  listOperators,
  revokeOperator,
  showAccount,
  disableAccountCommand,
  enableAccountCommand,
  resetSecondFactor,
  endSessionsCommand,
  sendPasswordLink,
  listMail,
  showMail,
  mailBounce,
  listFeed,
  retryFeed,
  ledgerCheck,
  ledgerExport,
  listApplications,
  approveDirectAuthCommand,
  refuseDirectAuthCommand,
  setApplication,
  rotateKeysCommand,
  listKeys,
  backupCommand,
  restoreCommand,
  exportBusinessCommand,
  importBusinessCommand,
  moveCommand,
  importScheduleCommand,
  importCustomersCommand,
  doctor,
];

/** Runs one command and resolves to its exit code: 0 done, 1 could not, 2 not understood. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    say(overview(COMMANDS));
    return first === undefined ? 2 : 0;
  }
  if (first === '--version' || first === '-v') {
    say(RELEASE);
    return 0;
  }
  let command: Command | undefined;
  try {
    const found = findCommand(COMMANDS, argv);
    command = found.command;
    const given = readArguments(command, found.rest);
    if (given.help) {
      say(helpOf(command));
      return 0;
    }
    return await command.run(given);
  } catch (error) {
    return report(error, command);
  }
}

export function report(error: unknown, command?: Command): number {
  if (error instanceof UsageError) {
    console.error(
      command
        ? `rollcall ${command.name}: ${error.message}\nUsage: ${usageOf(command)}   (more: rollcall ${command.name} --help)`
        : error.message,
    );
    return 2;
  }
  const known = explainFailure(error);
  if (known !== null) console.error(`rollcall: ${known}`);
  else console.error('rollcall: unexpected error:', error);
  return 1;
}
