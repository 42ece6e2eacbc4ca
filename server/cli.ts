/** The command line: `rollcall COMMAND`. Each command is loaded when it runs, so that a short one starts fast. */
import { RELEASE } from './kernel/base/release.ts';
import { findCommand, formatHelp, overview, readArguments, usageOf, type ListedCommand } from './commands/arguments.ts';
import { MAKE_DEMO, say, UsageError, WARM_UP, type Command } from './commands/command.ts';
import { explainFailure } from './commands/failures.ts';

const listed = (name: string, load: () => Promise<Command>): ListedCommand => ({ name, load });

export const COMMANDS: readonly ListedCommand[] = [
  listed('start', async () => (await import('./commands/start.ts')).start),
  listed('dev', async () => (await import('./commands/dev.ts')).dev),
  listed('build', async () => (await import('./commands/build.ts')).build),
  listed('set-up', async () => (await import('./commands/set-up.ts')).setUpCommand),
  listed('provider create', async () => (await import('./commands/provider.ts')).createProviderCommand),
  listed('provider invite-owner', async () => (await import('./commands/provider.ts')).inviteOwnerCommand),
  listed('provider list', async () => (await import('./commands/provider.ts')).listProviders),
  listed('clock show', async () => (await import('./commands/clock.ts')).showClock),
  listed('clock advance', async () => (await import('./commands/clock.ts')).advanceClockCommand),
  listed('token create', async () => (await import('./commands/token.ts')).createToken),
  listed('token list', async () => (await import('./commands/token.ts')).listTokens),
  listed('token revoke', async () => (await import('./commands/token.ts')).revokeToken),
  listed('operator-token create', async () => (await import('./commands/operator-token.ts')).createOperator),
  listed('operator-token list', async () => (await import('./commands/operator-token.ts')).listOperators),
  listed('operator-token revoke', async () => (await import('./commands/operator-token.ts')).revokeOperator),
  listed('account show', async () => (await import('./commands/account.ts')).showAccount),
  listed('account disable', async () => (await import('./commands/account.ts')).disableAccountCommand),
  listed('account enable', async () => (await import('./commands/account.ts')).enableAccountCommand),
  listed('account reset-second-factor', async () => (await import('./commands/account.ts')).resetSecondFactor),
  listed('account end-sessions', async () => (await import('./commands/account.ts')).endSessionsCommand),
  listed('account send-password-link', async () => (await import('./commands/account.ts')).sendPasswordLink),
  listed('mail list', async () => (await import('./commands/mail.ts')).listMail),
  listed('mail show', async () => (await import('./commands/mail.ts')).showMail),
  listed('mail bounce', async () => (await import('./commands/mail-bounce.ts')).mailBounce),
  listed('feed list', async () => (await import('./commands/feed.ts')).listFeed),
  listed('feed retry', async () => (await import('./commands/feed.ts')).retryFeed),
  listed('ledger check', async () => (await import('./commands/ledger.ts')).ledgerCheck),
  listed('ledger export', async () => (await import('./commands/ledger.ts')).ledgerExport),
  listed('verify', async () => (await import('./commands/verify.ts')).verify),
  listed('reports rebuild', async () => (await import('./commands/reports.ts')).reportsRebuild),
  listed('application list', async () => (await import('./commands/application.ts')).listApplications),
  listed(
    'application approve-direct-auth',
    async () => (await import('./commands/application.ts')).approveDirectAuthCommand,
  ),
  listed(
    'application refuse-direct-auth',
    async () => (await import('./commands/application.ts')).refuseDirectAuthCommand,
  ),
  listed('application set', async () => (await import('./commands/application.ts')).setApplication),
  listed('keys rotate', async () => (await import('./commands/keys.ts')).rotateKeysCommand),
  listed('keys list', async () => (await import('./commands/keys.ts')).listKeys),
  listed('update', async () => (await import('./commands/update/update.ts')).update),
  listed('backup', async () => (await import('./commands/backup.ts')).backupCommand),
  listed('backup verify', async () => (await import('./commands/backups/verify.ts')).verifyCommand),
  listed('backup fetch', async () => (await import('./commands/backups/fetch.ts')).fetchCommand),
  listed('restore', async () => (await import('./commands/restore.ts')).restoreCommand),
  listed('export business', async () => (await import('./commands/move-business.ts')).exportBusinessCommand),
  listed('import business', async () => (await import('./commands/move-business.ts')).importBusinessCommand),
  listed('move', async () => (await import('./scale/commands/move.ts')).moveCommand),
  listed('import', async () => (await import('./commands/import-files.ts')).importFilesCommand),
  listed('import schedule', async () => (await import('./commands/import-schedule.ts')).importScheduleCommand),
  listed('import customers', async () => (await import('./commands/import-customers.ts')).importCustomersCommand),
  listed('doctor', async () => (await import('./commands/doctor/doctor.ts')).doctor),
];

/**
 * Runs one command and resolves to its exit code: 0 done, 1 failed, 2 not understood.
 * @param prepared the command waits for it once it is loaded
 */
export async function main(argv: readonly string[], prepared?: Promise<void>): Promise<number> {
  const [first] = argv;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    say(overview(await Promise.all(COMMANDS.map(({ load }) => load()))));
    return first === undefined ? 2 : 0;
  }
  if (first === '--version' || first === '-v') {
    say(RELEASE);
    return 0;
  }
  // Run by another process, never by a person.
  if (first === MAKE_DEMO && process.send) return (await import('./commands/make-demo.ts')).makeForService();
  if (first === WARM_UP && process.send) return (await import('./warm-up.ts')).warmUp();
  let command: Command | undefined;
  try {
    const found = findCommand(COMMANDS, argv);
    command = await found.command.load();
    const given = readArguments(command, found.rest);
    if (given.help) {
      say(formatHelp(command));
      return 0;
    }
    await prepared;
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
