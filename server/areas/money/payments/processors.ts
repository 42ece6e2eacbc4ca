/** The kinds of processors. */
import { offline } from './offline/offline.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { stripe } from './stripe/stripe.ts';
import type { Processor, ProcessorName } from './processor.ts';

export const PROCESSORS: readonly Processor[] = [offline, sandbox, stripe];

/** Returns the processor with this name. @throws Error if there is no such kind */
export function processorOf(name: ProcessorName): Processor {
  const found = PROCESSORS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no processor "${name}"`);
  return found;
}
