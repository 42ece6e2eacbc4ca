/** The load on a machine that nothing else can reach: books for some seconds and prints the results. */
import { setTimeout as pause } from 'node:timers/promises';
import { Load, type LoadOptions } from './load.ts';

export type FoundInside = Pick<Load, 'booked' | 'refused' | 'uncertain' | 'cut' | 'wrong'>;

const load = new Load(JSON.parse(process.argv[2]) as LoadOptions);
await pause(Number(process.argv[3]) * 1000);
await load.stop();
const { booked, refused, uncertain, cut, wrong } = load;
console.log(JSON.stringify({ booked, refused, uncertain, cut, wrong } satisfies FoundInside));
