/**
 * An installation of several cells in one test process, each a service of its own on its own database. They share only
 * the secret key and what they request from each other over HTTP. Each cell is a world: `Harbour 1` and `Meadow 1` live
 * in the first, `Harbour 2` and `Meadow 2` in the second.
 */
import { TestClock } from '../clock.ts';
import { Front } from '../processes/front.ts';
import { Member } from '../../scale/index.ts';
import { until } from '../storm.ts';
import { startWorld, type World, type WorldOptions } from '../world.ts';

export interface Cell {
  readonly number: number;
  /** requests to it pass through its front, like those of other cells */
  readonly world: World;
  /** `shut()` makes the cell unreachable for everybody, and `reopen()` makes it reachable again */
  readonly front: Front;
}
import type { App } from '../../app.ts';
import type { Directory } from '../../scale/cells/directory.ts';

export interface Cells {
  /** by number, starting at 1 */
  readonly cells: readonly Cell[];
  /** address of the installation, which leads to the first cell */
  readonly publicUrl: string;
  cell(number: number): Cell;
  close(): Promise<void>;
}

export interface CellsOptions extends Omit<WorldOptions, 'env' | 'own' | 'front' | 'named' | 'database' | 'clock'> {
  /** number of cells; the default is two */
  readonly count?: number;
  /** additional settings of each cell */
  readonly env?: (cell: number) => Record<string, string>;
  /** database of a cell outside the PostgreSQL of all tests */
  readonly database?: (cell: number) => WorldOptions['database'];
}

export async function startCells({
  count = 2,
  env = () => ({}),
  database,
  ...options
}: CellsOptions = {}): Promise<Cells> {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  // Each cell needs the addresses of the others before any of them is listening.
  const fronts = await Promise.all(numbers.map(() => Front.open()));
  const [{ url: publicUrl }] = fronts;
  const settings = {
    CELLS: numbers.map((number) => `${number}=${fronts[number - 1].url}`).join(','),
    PUBLIC_URL: publicUrl,
    // The caller that starts the service provides the actual database; a URL in the settings makes the service share it
    // with other processes.
    DATABASE_URL: 'postgresql:///of-this-cell',
  };
  // All cells share a clock, so a session has the same age in each of them.
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
  // Each cell started before the others responded.
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

/** Returns the directory of businesses and their cells, as the service of a cell knows it. */
export function directoryOf({ joined }: Pick<App, 'joined'>): Directory {
  if (!(joined instanceof Member) || joined.directory === null) throw new Error('the service is no cell');
  return joined.directory;
}
