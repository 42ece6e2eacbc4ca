/** Sends the waiting marks one after another, in the order of the taps. */
import { arrived, next, refuse, sending, type Mark, type Queue } from './queue.ts';

export type Outcome =
  | { readonly kind: 'arrived' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** unknown whether it was received: the same mark is retried later */
  | { readonly kind: 'lost' };

export interface Line {
  /** reads the stored queue */
  read(): Queue;
  change(how: (queue: Queue) => Queue): void;
  send(mark: Mark): Promise<Outcome>;
}

/** Returns true if everything was sent, and false if the connection is lost and the rest waits. */
export async function sendAll({ read, change, send }: Line): Promise<boolean> {
  for (let mark = next(read()); mark; mark = next(read())) {
    const { key } = mark;
    change((queue) => sending(queue, key));
    const outcome = await send(mark);
    if (outcome.kind === 'lost') return false;
    change((queue) => (outcome.kind === 'arrived' ? arrived(queue, key) : refuse(queue, key, outcome)));
  }
  return true;
}
