/** Reads connected calendars of staff in the worker. Uses real time, at test businesses too. */
import { Loops } from '../../../../kernel/work/worker/loops.ts';
import { refreshDue } from './refresh.ts';
import type { Engine } from '../../../../kernel/work/unit/engine.ts';

const IDLE_MS = 5000;

export const calendarEngine: Engine = {
  name: 'calendars',
  start: async (context) => {
    const loops = new Loops(context.log);
    loops.repeat('calendars', IDLE_MS, () => refreshDue(context));
    return { stop: () => loops.stop() };
  },
};
