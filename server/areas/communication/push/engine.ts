/** Sends messages to devices, in the worker. */
import { Loops } from '../../../kernel/work/worker/loops.ts';
import { sendDue } from './send.ts';
import type { Engine } from '../../../kernel/work/unit/engine.ts';

const IDLE_MS = 1000;

export const pushEngine: Engine = {
  name: 'push',
  start: async (context) => {
    const loops = new Loops(context.log);
    loops.repeat('push', IDLE_MS, () => sendDue(context));
    return { stop: () => loops.stop() };
  },
};
