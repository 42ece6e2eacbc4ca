/** A caller who doesn't give up: repeats a request with its key until an answer says what became of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiAnswer, World } from '../world.ts';

/** A repetition fails only if its connection breaks too. */
const MAX_TRIES = 200;

interface Insisting {
  /** address of the server to try next; `n` counts the tries from 0 */
  readonly next: (n: number) => Promise<string>;
  readonly token: string;
  /** a try without an answer is given up after this many milliseconds; by default, never */
  readonly patienceMs?: number;
  /** pause before a repetition, in milliseconds */
  readonly pauseMs?: number;
  readonly onRepeat: () => void;
}

export const insisting =
  ({ next, token, patienceMs, pauseMs = 0, onRepeat }: Insisting): World['ask'] =>
  async (method, path, { body } = {}): Promise<ApiAnswer> => {
    const key = randomUUID();
    let last = '';
    for (let n = 0; n < MAX_TRIES; n++) {
      if (n > 0) {
        onRepeat();
        await pause(pauseMs);
      }
      const url = await next(n);
      try {
        const answer = await fetch(`${url}/api/v2${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            ...(method !== 'GET' && { 'idempotency-key': key }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
        });
        const text = await answer.text();
        last = text;
        const read = text ? JSON.parse(text) : null;
        if (answer.status < 500 && read?.code !== 'idempotency_key_in_use')
          return { status: answer.status, headers: answer.headers, text, body: read };
      } catch (error) {
        last = String(error);
      }
    }
    throw new Error(`${method} ${path} was not answered after ${MAX_TRIES} tries: ${last}`);
  };
