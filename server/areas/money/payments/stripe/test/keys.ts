/** Idempotency as Stripe implements it: a key returns its first response again, and another body is refused. */
import { Refusal } from './refusal.ts';

export interface Answer {
  readonly status: number;
  readonly body: object;
}

interface Known {
  readonly asked: string;
  readonly answer: Answer;
}

export class IdempotencyKeys {
  readonly #known = new Map<string, Known>();

  /** Returns the earlier response, if any. @throws Refusal for a key that was used for something else */
  replay(key: string, asked: string): Answer | null {
    const known = this.#known.get(key);
    if (known && known.asked !== asked)
      throw new Refusal(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    return known?.answer ?? null;
  }

  keep(key: string, asked: string, answer: Answer): void {
    this.#known.set(key, { asked, answer });
  }

  /** Forgets all keys, as Stripe does after some days. */
  forget(): void {
    this.#known.clear();
  }
}
