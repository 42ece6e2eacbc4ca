/**
 * Results of acting other than a plain value: a dry run, a repetition, a secret that is shown once, a refusal with kept
 * changes.
 */
import { answerOf, refusal, type Outgoing } from './exchange.ts';
import { Refused } from '../../base/problem.ts';
import { sideFor } from '../../base/values/wording.ts';
import type { Prepared } from './admission.ts';
import type { StoredAnswer } from '../../work/unit/idempotency.ts';

/** Ends the transaction of a dry run. */
export class DryRun {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }
}

/** The call is a repetition. */
export class Replay {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    this.answer = answer;
  }
}

/** A response with values that are shown once. */
export class Revealed {
  readonly shown: object;
  /** the response as it is stored for a repetition */
  readonly concealed: object;
  constructor(shown: object, secrets: Record<string, unknown>) {
    this.shown = { ...shown, ...secrets };
    this.concealed = { ...shown, ...Object.fromEntries(Object.keys(secrets).map((name) => [name, null])) };
  }
}

/** Returns the result of an internal call: the plain value, including secrets that are shown once. */
export function plainResult(value: unknown): unknown {
  if (value instanceof Refused) throw value.problem;
  return value instanceof Revealed ? value.shown : value;
}

/** Returns the response to a request that was admitted. */
export function finish(
  { endpoint, request, query, viewer, tenant }: Prepared,
  value: unknown,
  headers: Record<string, string>,
  xml: boolean,
): Outgoing {
  if (value instanceof Refused) {
    const problem = value.problem.localizedFor(sideFor(viewer.mode), tenant.words);
    return refusal(problem, request.requestId, xml, headers, request.pagesUrl);
  }
  if (!(value instanceof Revealed)) return answerOf(endpoint, request, query.dry_run === true, value, headers, xml);
  const answer = answerOf(endpoint, request, false, value.shown, headers, xml);
  // The version is that of the readable values, and nothing in between may store a secret.
  const { etag: _, ...rest } = answer.headers;
  return { ...answer, headers: { ...rest, 'cache-control': 'no-store' } };
}
