/** The reasons why a call failed. */

/** The refusal as the service sent it. `code` is one of those that the operation lists. */
export interface Problem<Code extends string = string> {
  readonly code: Code;
  /** for people to read */
  readonly message: string;
  readonly type: string;
  /** by the name of the property or parameter, with dots for nested ones */
  readonly field_errors: Readonly<Record<string, readonly string[]>>;
  /** identifies the request in the log of the service */
  readonly request_id: string;
  /** what could be requested instead */
  readonly alternatives?: readonly Readonly<Record<string, unknown>>[];
  /** what a customer must complete first, each with its page */
  readonly requirements?: readonly {
    readonly kind: string;
    readonly id: number;
    readonly title: string;
    readonly customer: number;
    readonly url: string;
  }[];
}

/** The service refused the request. Nothing changed. */
export class Refused<Code extends string = string> extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly problem: Problem<Code>;

  constructor(status: number, problem: Problem<Code>) {
    super(`${problem.message} (${problem.code})`);
    this.status = status;
    this.problem = problem;
  }

  get code(): Code {
    return this.problem.code;
  }
}

/** No response, not even after retries: it is unknown whether a write took effect. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}
