import { cutOff, heal } from './network.ts';
import { failover } from './outage.ts';
import type { Drill } from './drill.ts';

/**
 * The lock of the primary has to expire: no process is left to release it, and nothing signals that a connection has
 * ended.
 */
export const loseMachine: Drill = {
  name: 'lose-machine',
  does: 'the machine of the primary loses its power: PostgreSQL, Patroni, etcd, server and worker; later it starts again',
  raises: ['NoPrimary', 'NoStandby', 'ServerDown', 'WorkerDown', 'EtcdMemberDown'],
  async run({ cell, load }) {
    const [primary, standby] = [await cell.primary(), await cell.standby()];
    const lost = performance.now();
    // The network is cut first: a process that ends closes its connections, but a machine that loses power doesn't.
    await cutOff(primary);
    primary.powerOff();
    try {
      return await failover(load, standby, lost);
    } finally {
      await heal(primary);
      primary.powerOn();
    }
  },
};
