/** What comes of acting besides a plain value: a trial, a repetition, a secret that is shown once, a kept refusal. */
import { answerOf, refusal, type Outgoing } from './exchange.ts';
import { Refused } from '../base/problem.ts';
import { sideOf } from '../base/values/wording.ts';
import type { Prepared } from './admission.ts';
import type { StoredAnswer } from '../work/unit/idempotency.ts';

/** Ends the transaction of a trial. */
export class DryRun {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }
}

/** The call was made before. */
export class Replay {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    this.answer = answer;
  }
}

/** An answer with values that are shown once. */
export class Revealed {
  readonly shown: object;
  /** as it is kept for a repetition */
  readonly concealed: object;
  constructor(shown: object, secrets: Record<string, unknown>) {
    this.shown = { ...shown, ...secrets };
    this.concealed = { ...shown, ...Object.fromEntries(Object.keys(secrets).map((name) => [name, null])) };
  }
}

/** What a call of the program gets: the plain value with what is shown once. */
export function valueOf(value: unknown): unknown {
  if (value instanceof Refused) throw value.problem;
  return value instanceof Revealed ? value.shown : value;
}

/** The answer to a request that was admitted. */
export function finish(
  { endpoint, request, query, viewer, tenant }: Prepared,
  value: unknown,
  headers: Record<string, string>,
  xml: boolean,
): Outgoing {
  if (value instanceof Refused)
    return refusal(value.problem.localizedFor(sideOf(viewer.mode), tenant.words), request.requestId, xml, headers);
  if (!(value instanceof Revealed)) return answerOf(endpoint, request, query.dry_run === true, value, headers, xml);
  const answer = answerOf(endpoint, request, false, value.shown, headers, xml);
  // The version is that of what can be read again, and nothing in between may keep a secret.
  const { etag: _, ...rest } = answer.headers;
  return { ...answer, headers: { ...rest, 'cache-control': 'no-store' } };
}
