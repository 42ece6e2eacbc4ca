import assert from 'node:assert/strict';
import { cutOff, heal } from './network.ts';
import { failover } from './outage.ts';
import type { Drill } from './drill.ts';
import type { FoundInside } from './load-inside.ts';

const INSIDE_S = 30;

/**
 * The primary is in the half with one vote of three, together with a server that reaches it and clients that send
 * requests to this server: bookings that it acknowledges must still be there afterwards. The safest outcome is that it
 * acknowledges nothing. When the halves meet again, the old primary must not become primary again: it lacks what the
 * other half acknowledged.
 */
export const splitNetwork: Drill = {
  name: 'split-network',
  does: 'the machine of the primary is cut off from the two others while people book in both halves',
  raises: ['NoPrimary', 'NoStandby', 'ServerDown', 'WorkerDown', 'EtcdMemberDown'],
  async run({ cell, load, alsoBooked }) {
    const [primary, standby] = [await cell.primary(), await cell.standby()];
    const { token, customers, events } = cell.business;
    // The load through the proxy never reaches this half of the pairs.
    const from = Math.floor((customers.length * events.length) / 2);
    const options = { url: 'http://127.0.0.1:8080', token, customers, events, from, callers: 2 };
    primary.write('/run/load.json', JSON.stringify(options));
    const program = `exec node_modules/.bin/node deploy/drills/load-inside.ts "$(cat /run/load.json)" ${INSIDE_S}`;
    const after: string[] = [];
    const cut = performance.now();
    await cutOff(primary);
    try {
      const inside = primary.run('root', ['env', '--chdir=/opt/rollcall', 'sh', '-c', program]);
      const [notes, printed] = await Promise.all([failover(load, standby, cut), inside]);
      const found = JSON.parse(printed) as FoundInside;
      alsoBooked(found.booked);
      assert.deepEqual([found.wrong, found.cut], [[], 0], 'what no client in the smaller half should get');
      assert.ok(found.refused > 0, 'people in the smaller half are refused');
      after.push(
        ...notes,
        `the smaller half acknowledged ${found.booked.length} bookings and refused ${found.refused}`,
      );
    } finally {
      await heal(primary);
    }
    await cell.whole();
    assert.equal(await cell.primary(), standby, 'when the halves meet again, the primary stays');
    return after;
  },
};
