import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from './wait.ts';
import { answers, type Cell } from './cell.ts';
import { bookingsGoOn } from './outage.ts';
import type { Drill } from './drill.ts';
import type { Load } from './load.ts';

const READY_MS = 120_000;
/** Columns of `show stat`. */
const [NAME, CURRENT] = [1, 4];

/** Writes a command to the socket of the proxy, as an operator does. */
async function tell(cell: Cell, command: string): Promise<string> {
  const socket = connect(cell.proxy.path('/run/haproxy/admin.sock'));
  let said = '';
  socket.on('data', (part) => (said += part));
  socket.write(`${command}\n`);
  await once(socket, 'close');
  return said;
}

/** Follows README.md, "Upgrade": drains one server after another, restarts it, and sends it requests again. */
export async function restartOneByOne(cell: Cell, load: Load): Promise<void> {
  for (const machine of cell.databases) {
    const server = `rollcall/${machine.name}`;
    await tell(cell, `set server ${server} state drain`);
    await until(
      'its last request is answered',
      async () => {
        const rows = (await tell(cell, 'show stat rollcall 4 -1')).split('\n').map((row) => row.split(','));
        return rows.find((row) => row[NAME] === machine.name)?.[CURRENT] === '0';
      },
      READY_MS,
    );
    await machine.unit('rollcall-server').restart();
    await until('it is ready', () => answers(`http://${machine.address}:8080/readyz`), READY_MS);
    await tell(cell, `set server ${server} state ready`);
    await until('the proxy sees both', async () => (await cell.serversUp()) === 2, READY_MS);
    await machine.unit('rollcall-worker').restart();
    await bookingsGoOn(load);
  }
}

export const upgrade: Drill = {
  name: 'upgrade',
  does: 'servers and workers are restarted one after the other, as for a new release; nobody may be refused',
  raises: [],
  async run({ cell, load }) {
    const { refused, cut } = load;
    await restartOneByOne(cell, load);
    assert.deepEqual([load.refused - refused, load.cut - cut], [0, 0], 'refused and cut off');
    return [];
  },
};
