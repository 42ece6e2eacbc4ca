/** Every drill, in the order in which they run. */
import { fillDisk } from './fill-disk.ts';
import { freezePrimary } from './freeze-primary.ts';
import { jumpClock } from './jump-clock.ts';
import { killPrimary } from './kill-primary.ts';
import { killProxy, killServer, killWorker } from './kill-service.ts';
import { loseMachine } from './lose-machine.ts';
import { loseStandby } from './lose-standby.ts';
import { moveThereAndBack } from './move.ts';
import { replaceDatabase } from './replace.ts';
import { restoreBeside } from './restore.ts';
import { splitNetwork } from './split-network.ts';
import { upgrade } from './upgrade.ts';
import type { Drill } from './drill.ts';

export const DRILLS: readonly Drill[] = [
  upgrade,
  killServer,
  killWorker,
  killProxy,
  killPrimary,
  freezePrimary,
  loseStandby,
  splitNetwork,
  fillDisk,
  jumpClock,
  restoreBeside,
  replaceDatabase,
  loseMachine,
  // From this drill on, the cell is one of two.
  moveThereAndBack,
];
