/** What can go wrong on the way to Stripe and back. */
export type Fault =
  /** Stripe acts, and the connection ends before it answers. */
  | 'lose_answer'
  /** Stripe acts, and answers with an error; so it does whenever it is asked with the same key again. */
  | 'error_after'
  /** Stripe answers with an error and does nothing; nothing is remembered for the key. */
  | 'error_before'
  /** Stripe acts, and never answers. */
  | 'silent'
  /** Stripe does nothing, because there were too many requests. */
  | 'rate_limited';

interface Planned {
  readonly fault: Fault;
  readonly request: string;
  left: number;
}

export class Faults {
  #planned: Planned[] = [];

  /** `request` is the beginning of what is asked, as `POST /v1/refunds`. */
  plan(fault: Fault, request: string, times = 1): void {
    this.#planned.push({ fault, request, left: times });
  }

  clear(): void {
    this.#planned = [];
  }

  /** The one that this request meets, if any; it is used up by that. */
  next(request: string): Fault | null {
    const planned = this.#planned.find((p) => p.left > 0 && request.startsWith(p.request));
    if (!planned) return null;
    planned.left--;
    return planned.fault;
  }
}
