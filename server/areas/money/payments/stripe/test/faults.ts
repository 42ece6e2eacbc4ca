/** Failures on the way to Stripe and back. */
export type Fault =
  /** Stripe acts, and the connection ends before it responds. */
  | 'lose_answer'
  /** Stripe acts, and responds with an error, which it repeats for every request with the same key. */
  | 'error_after'
  /** Stripe responds with an error without acting; nothing is remembered for the key. */
  | 'error_before'
  /** Stripe acts, and never responds. */
  | 'silent'
  /** Stripe does not act, because there were too many requests. */
  | 'rate_limited';

interface Planned {
  readonly fault: Fault;
  readonly request: string;
  left: number;
}

export class Faults {
  #planned: Planned[] = [];

  /** Plans a failure. `request`: the beginning of the request, for example `POST /v1/refunds`. */
  plan(fault: Fault, request: string, times = 1): void {
    this.#planned.push({ fault, request, left: times });
  }

  clear(): void {
    this.#planned = [];
  }

  /** Returns the failure for this request, if any, and removes it from the plan. */
  next(request: string): Fault | null {
    const planned = this.#planned.find((p) => p.left > 0 && request.startsWith(p.request));
    if (!planned) return null;
    planned.left--;
    return planned.fault;
  }
}
