/**
 * An installation of several cells, each a service of its own on a database of its own, in one test process. Nothing is
 * shared but the secret key and what they ask each other over HTTP. Each cell is a world: `Harbour 1` and `Meadow 1`
 * live in the first, `Harbour 2` and `Meadow 2` in the second.
 */
import { TestClock } from './clock.ts';
import { Front } from './front.ts';
import { Member } from '../scale/index.ts';
import { until } from './storm.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

export interface Cell {
  readonly number: number;
  /** what is asked of it comes through its front, as what other cells ask */
  readonly world: World;
  /** `shut()` takes the cell away from everybody, and `reopen()` brings it back */
  readonly front: Front;
}
import type { App } from '../app.ts';
import type { Directory } from '../scale/cells/directory.ts';

export interface Cells {
  /** by their numbers, from 1 on */
  readonly cells: readonly Cell[];
  /** the address of the installation, which leads to the first cell */
  readonly publicUrl: string;
  cell(number: number): Cell;
  close(): Promise<void>;
}

export interface CellsOptions extends Omit<WorldOptions, 'env' | 'own' | 'front' | 'named' | 'database' | 'clock'> {
  /** how many; two unless said */
  readonly count?: number;
  /** further settings of each */
  readonly env?: (cell: number) => Record<string, string>;
  /** whose database is not one of the PostgreSQL of all tests */
  readonly database?: (cell: number) => WorldOptions['database'];
}

export async function startCells({
  count = 2,
  env = () => ({}),
  database,
  ...options
}: CellsOptions = {}): Promise<Cells> {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  // Each knows where the others will answer before any of them does.
  const fronts = await Promise.all(numbers.map(() => Front.open()));
  const [{ url: publicUrl }] = fronts;
  const settings = {
    CELLS: numbers.map((number) => `${number}=${fronts[number - 1].url}`).join(','),
    PUBLIC_URL: publicUrl,
    // Which one it is, is known by whoever starts the service; that there is one makes it share with other processes.
    DATABASE_URL: 'postgresql:///of-this-cell',
  };
  // A session that began in one cell is no older or younger in another.
  const clock = new TestClock({ goesOn: options.worker });
  const cells = await Promise.all(
    numbers.map(async (number): Promise<Cell> => {
      const front = fronts[number - 1];
      const world = await startWorld({
        ...options,
        clock,
        own: true,
        database: database?.(number),
        env: { ...settings, CELL: String(number), ...env(number) },
        front: (url) => front.leadTo(url),
        named: (name) => `${name} ${number}`,
      });
      return { number, world, front };
    }),
  );
  // Each began when others did not answer yet.
  await until('each cell knows the others', async () => cells.every(({ world }) => directoryOf(world.app).isWhole));
  return {
    cells,
    publicUrl,
    cell: (number) => cells[number - 1],
    async close() {
      await Promise.all(cells.map(({ world }) => world.close()));
      await Promise.all(fronts.map((front) => front.close()));
    },
  };
}

/** Where businesses live, as the service of a cell knows it. */
export function directoryOf({ joined }: Pick<App, 'joined'>): Directory {
  if (!(joined instanceof Member) || joined.directory === null) throw new Error('the service is no cell');
  return joined.directory;
}
