/** `move`: moves a business to another cell of the installation, while it is in use. */
import { cancelMove, confirmMove, moveBusiness } from '../cells/move/move.ts';
import { MoveRefused } from '../cells/move/ends.ts';
import { FolderStore } from '../../kernel/base/files/folder-store.ts';
import { openFiles } from '../../kernel/base/files/open-files.ts';
import { movingAccounts } from '../../areas/people/identity/index.ts';
import { movingNames } from '../../areas/platform/providers/index.ts';
import { planMove, type Plan } from '../cells/move/plan.ts';
import { AREAS, registry } from '../../app.ts';
import { secretBoxOf } from '../../kernel/base/secret-box.ts';
import { CommandFailure, say, UsageError, wholeId, type Command } from '../../commands/command.ts';
import { whyUnreachable } from '../../commands/failures.ts';
import { withDatabaseUrl } from '../../commands/installation.ts';
import type { Around } from '../cells/move/context.ts';
import type { Config } from '../../config.ts';

/** Returns the parts of the installation that a move needs. `env`: the settings of the other cell. */
export function openMove(
  url: string,
  config: Config,
  { business, cell, env = process.env }: { business: number; cell: number; env?: NodeJS.ProcessEnv },
): Around {
  const { cells } = config;
  const { MOVE_TO_DATABASE_URL: to, MOVE_TO_DATA_DIR: folder } = env;
  if (cells === null)
    throw new CommandFailure(
      'This installation does not consist of several cells. Remedy: set CELL and CELLS, see docs/operations.md.',
    );
  if (!cells.addresses.has(cell) || cell === cells.own)
    throw new CommandFailure(
      `CELL must be another one of the cells in CELLS (${[...cells.addresses.keys()].join(', ')}), not ${cell}. Remedy: run the command with the settings of the cell that the business lives in.`,
    );
  if (!to)
    throw new CommandFailure(
      `MOVE_TO_DATABASE_URL is not set. Remedy: set it to the connection string of the database of cell ${cell}.`,
    );
  return {
    from: url,
    to,
    business,
    own: cells.own,
    cell,
    tables: registry().tables,
    accounts: movingAccounts,
    names: movingNames,
    underWay: new Map(AREAS.flatMap(({ underWay = {} }) => Object.entries(underWay))),
    box: secretBoxOf(config),
    files: config.bucket ? null : { from: openFiles(config), to: folder ? new FolderStore(folder) : null },
    say,
  };
}

const MB = 1_000_000;

function tell({ place, against, rows, tables, bytes, seconds }: Plan, { business, cell }: Around): number {
  if (place === 'there') say(`Business ${business} lives in cell ${cell} already.`);
  if (place === 'between')
    say(`Business ${business} has left for cell ${cell}. Run the command without --dry-run to finish the move.`);
  if (place === 'there' || place === 'between') return 0;
  say(`${rows} rows of ${tables} tables, ${(bytes / MB).toFixed(1)} MB.`);
  if (place === 'begun') say('The move has begun. What was copied is used, if it still can be.');
  if (seconds !== null)
    say(
      `Copying takes about ${seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`}, estimated from a sample. Then the business is closed for about a second.`,
    );
  for (const obstacle of against) say(obstacle);
  say('Nothing was changed.');
  return against.length === 0 ? 0 : 1;
}

export const moveCommand: Command = {
  name: 'move',
  summary: 'Move a business to another cell while it is in use',
  positionals: ['BUSINESS', 'CELL'],
  options: {
    'dry-run': {
      type: 'boolean',
      description: 'show how much there is to copy, how long that takes, and what prevents the move; change nothing',
    },
    cancel: { type: 'boolean', description: 'take back a move that has begun: the business stays where it is' },
    confirm: { type: 'boolean', description: 'delete what a business that has moved left behind' },
  },
  details: [
    'Run it with the settings of the cell that the business lives in, and with MOVE_TO_DATABASE_URL, the database of the other cell.',
    'A move that was stopped goes on if you run the command again. See docs/operations.md.',
  ].join('\n'),
  async run({ positionals, options }) {
    const business = wholeId(positionals[0], 'BUSINESS');
    const cell = wholeId(positionals[1], 'CELL');
    if ([options['dry-run'], options.cancel, options.confirm].filter(Boolean).length > 1)
      throw new UsageError('Give one of --dry-run, --cancel and --confirm.');
    return withDatabaseUrl(async (url, config) => {
      const around = openMove(url, config, { business, cell });
      try {
        if (options['dry-run']) return tell(await planMove(around), around);
        if (options.cancel) {
          await cancelMove(around);
          say(`Business ${business} stays in cell ${around.own}. Nothing of the move is left.`);
          return 0;
        }
        if (options.confirm) {
          const removed = await confirmMove(around);
          say(`Deleted what business ${business} left in cell ${around.own}: ${removed} rows.`);
          return 0;
        }
        const { moved, awayMs } = await moveBusiness(around);
        say(
          moved
            ? `Business ${business} lives in cell ${cell}.${awayMs === null ? '' : ` It was closed for ${Math.ceil(awayMs)} ms.`}`
            : `Business ${business} lives in cell ${cell} already.`,
        );
        say(
          `What it left here is kept. Delete it with "rollcall move ${business} ${cell} --confirm" when all is well there.`,
        );
        return 0;
      } catch (error) {
        if (error instanceof MoveRefused) throw new CommandFailure(error.message);
        const lost = error instanceof Error ? whyUnreachable(error) : null;
        throw lost === null
          ? error
          : new CommandFailure(
              `A database cannot be reached: ${lost}. Remedy: check DATABASE_URL and MOVE_TO_DATABASE_URL, and run the command again. If a cell has lost its primary, wait until a standby has been promoted. A move that had begun goes on where it was.`,
            );
      }
    });
  },
};
