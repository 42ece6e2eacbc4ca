/** Every "no" of the service: a closed list of codes, each with its status, its family and what it means. */
import { toldTo, type Side, type Words } from '../values/told.ts';

export type ProblemType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict'
  | 'event_check_failure'
  | 'rate_limit_error'
  | 'api_error';

interface Kind {
  readonly status: number;
  readonly type: ProblemType;
  readonly means: string;
}

const kind = (status: number, type: ProblemType, means: string): Kind => ({ status, type, means });

export const PROBLEMS = {
  parameter_invalid: kind(
    400,
    'invalid_request_error',
    'A property of the body or a query parameter is wrong. `field_errors` names it and says how to fix it.',
  ),
  provider_header_missing: kind(
    400,
    'invalid_request_error',
    'The request doesn’t say which business it is for. Send the header Service-Provider-ID.',
  ),
  provider_header_invalid: kind(400, 'invalid_request_error', 'Service-Provider-ID is not a number.'),
  mode_header_missing: kind(
    400,
    'invalid_request_error',
    'The person is both staff and customer. Send the header Service-Request-Mode.',
  ),
  mode_header_invalid: kind(400, 'invalid_request_error', 'Service-Request-Mode is neither `provider` nor `customer`.'),
  not_authenticated: kind(401, 'authentication_error', 'The operation needs a credential, and none was sent.'),
  authentication_failed: kind(
    401,
    'authentication_error',
    'The credential is malformed, unknown, expired or revoked. Get a new one.',
  ),
  permission_denied: kind(
    403,
    'permission_error',
    'The caller doesn’t have the permission. The message names the mode and the permissions that would be enough.',
  ),
  mode_not_allowed: kind(
    403,
    'permission_error',
    'The caller has no profile for this mode at this business, or the operation is not available in this mode.',
  ),
  provider_invalid: kind(403, 'permission_error', 'The credential gives no access to this business.'),
  not_found: kind(404, 'not_found_error', 'There is nothing here, or nothing that the caller may see.'),
  method_not_allowed: kind(
    405,
    'invalid_request_error',
    'The path exists, but not with this method. `Allow` lists the methods that it has.',
  ),
  not_acceptable: kind(
    406,
    'invalid_request_error',
    'The service responds only with application/json or application/xml.',
  ),
  conflict: kind(409, 'conflict', 'The change contradicts what is stored.'),
  already_cancelled: kind(409, 'conflict', 'It is already cancelled.'),
  already_ended: kind(409, 'conflict', 'It has already ended.'),
  already_started: kind(409, 'conflict', 'The event has started. This is only possible before it starts.'),
  already_exists: kind(409, 'conflict', 'An object with this unique property already exists.'),
  in_use: kind(409, 'conflict', 'Another object still refers to it.'),
  room_taken: kind(409, 'conflict', 'Another event uses the room at that time.'),
  instructor_taken: kind(409, 'conflict', 'The instructor teaches another event at that time.'),
  capacity_below_bookings: kind(
    409,
    'conflict',
    'More people are booked, or hold a reserved spot, than the new capacity allows.',
  ),
  quota_exceeded: kind(
    409,
    'conflict',
    'More emails than the business can still send this month. The message says how many are left.',
  ),
  idempotency_key_in_use: kind(409, 'conflict', 'A request with this Idempotency-Key is still in progress.'),
  version_mismatch: kind(412, 'conflict', 'The current version of the resource is not the one in If-Match.'),
  body_too_large: kind(413, 'invalid_request_error', 'The body is larger than the limit.'),
  unsupported_media_type: kind(
    415,
    'invalid_request_error',
    'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
  ),
  idempotency_key_reused: kind(
    422,
    'invalid_request_error',
    'The Idempotency-Key was already used with a different request.',
  ),
  rate_limited: kind(429, 'rate_limit_error', 'Too many requests. `Retry-After` says when you can continue.'),
  internal_error: kind(500, 'api_error', 'The service failed. Use the request id to find the error in the log.'),
  unavailable: kind(503, 'api_error', 'The service can’t reach its database or is shutting down. Try again.'),
  event_full: kind(
    400,
    'event_check_failure',
    'The event is full. The message says which place on the waitlist is offered.',
  ),
  event_cancelled: kind(400, 'event_check_failure', 'The event is cancelled.'),
  event_started: kind(400, 'event_check_failure', 'The event has started.'),
  registration_not_open: kind(400, 'event_check_failure', 'Booking opens later. The message says when.'),
  registration_closed: kind(400, 'event_check_failure', 'Booking has closed. The message says when it closed.'),
  registration_not_allowed: kind(
    400,
    'event_check_failure',
    'No registration timeline of the event is open to this customer.',
  ),
  age_too_low: kind(400, 'event_check_failure', 'The customer is younger than the event allows on its day.'),
  age_too_high: kind(400, 'event_check_failure', 'The customer is older than the event allows on its day.'),
  age_unknown: kind(400, 'event_check_failure', 'The event has an age limit, and the date of birth is unknown.'),
  customer_not_participating: kind(400, 'event_check_failure', 'The customer manages a family and does not take part.'),
  membership_required: kind(
    400,
    'event_check_failure',
    'The event needs a membership, and the customer has none. Sell one that covers the event, or book it `comped`.',
  ),
  membership_does_not_cover: kind(
    400,
    'event_check_failure',
    'The membership doesn’t cover the event. Choose one that does.',
  ),
  membership_expired: kind(
    400,
    'event_check_failure',
    'The membership has ended, or ends before the event. Renew it, or choose another one.',
  ),
  membership_not_started: kind(
    400,
    'event_check_failure',
    'The membership starts after the event. The message says when.',
  ),
  membership_on_hold: kind(
    400,
    'event_check_failure',
    'The membership is on hold on the day of the event. End the hold, or choose another day.',
  ),
  allotment_used_up: kind(
    400,
    'event_check_failure',
    'The membership has no uses left for that time. The message says when there will be more.',
  ),
  not_registered: kind(400, 'event_check_failure', 'The customer has no booking for this event.'),
  already_registered: kind(400, 'event_check_failure', 'The customer already has a booking for this event.'),
  not_on_waitlist: kind(400, 'event_check_failure', 'The customer is not on the waitlist of this event.'),
  waitlist_full: kind(400, 'event_check_failure', 'The waitlist has reached its limit.'),
  waitlist_not_needed: kind(400, 'event_check_failure', 'The event has free spots. Register instead.'),
  attendance_already_marked: kind(
    400,
    'event_check_failure',
    'The attendance is already marked. Staff can correct it.',
  ),
  checkin_disabled: kind(400, 'event_check_failure', 'The business has turned off check-ins.'),
} satisfies Record<string, Kind>;

export type ProblemCode = keyof typeof PROBLEMS;

/**
 * A refusal; thrown anywhere, answered by the pipeline. `fields` maps a body or query name (dots for nested) to
 * messages. What customers can meet, and could not act on in the words for staff, has both texts where it is declared;
 * whoever answers chooses.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: Record<string, string[]>;
  readonly headers: Record<string, string>;
  readonly #said: { readonly message: Words; readonly fields: Record<string, Words[]> };
  constructor(
    code: ProblemCode,
    message: Words,
    fields: Record<string, Words[]> = {},
    headers: Record<string, string> = {},
  ) {
    super(toldTo('staff', message));
    this.code = code;
    this.fields = fieldsFor('staff', fields);
    this.headers = headers;
    this.#said = { message, fields };
  }
  /** The same refusal in the words for this side. */
  heardBy(side: Side): Problem {
    const { message, fields } = this.#said;
    const told = [message, ...Object.values(fields).flat()].some((words) => typeof words !== 'string');
    return told && side === 'customer'
      ? new Problem(this.code, toldTo(side, message), fieldsFor(side, fields), this.headers)
      : this;
  }
  get status(): number {
    return PROBLEMS[this.code].status;
  }
  /** The body of the answer. */
  body(requestId: string) {
    return {
      code: this.code,
      message: this.message,
      type: PROBLEMS[this.code].type,
      field_errors: this.fields,
      request_id: requestId,
    };
  }
}

const fieldsFor = (side: Side, fields: Record<string, Words[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(fields).map(([name, all]) => [name, all.map((words) => toldTo(side, words))]));

/**
 * A refusal whose work is kept: what `run` wrote before it returned this commits. A refusal that is thrown undoes
 * everything.
 */
export class Refused {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

/** A wrong property or parameter: 400 `parameter_invalid` that names it. */
export const invalid = (field: string, message: Words): Problem =>
  new Problem('parameter_invalid', named(field, message), { [field]: [message] });

const named = (field: string, words: Words): Words =>
  typeof words === 'string' ? `${field}: ${words}` : { staff: `${field}: ${words.staff}`, customer: words.customer };

export const notFound = (): Problem => new Problem('not_found', 'Not found.');

const MOST_ISSUES = 20;
/** Looking for the name that was meant costs more than finding the mistake. */
const MOST_SUGGESTIONS = 5;

/**
 * What went wrong in several places, gathered before it is said at once: the first twenty, so that a bad body cannot
 * make long work.
 */
export class Issues {
  /** without a prototype: callers choose the names, and `constructor` is one */
  readonly #said: Record<string, Words[]> = Object.create(null);
  #found = 0;
  #suggested = 0;

  /** in the words for staff */
  get fields(): Record<string, string[]> {
    return fieldsFor('staff', this.#said);
  }

  /** Nothing more is said: whoever looks at something long may stop. */
  get full(): boolean {
    return this.#found > MOST_ISSUES;
  }

  add(path: string, message: Words): undefined {
    this.#found++;
    const cut = this.#found === MOST_ISSUES + 1;
    if (this.#found <= MOST_ISSUES || cut) {
      (this.#said[cut || !path ? 'non_field_errors' : path] ??= []).push(
        cut ? `Only the first ${MOST_ISSUES} problems are listed.` : message,
      );
    }
    return undefined;
  }

  /** A name that nobody declared; `near` finds the one that was probably meant. */
  addUnknown(path: string, what: string, near: () => string | undefined): undefined {
    const meant = !this.full && this.#suggested++ < MOST_SUGGESTIONS ? near() : undefined;
    return this.add(path.slice(0, 80).toWellFormed(), `Unknown ${what}.${meant ? ` Did you mean "${meant}"?` : ''}`);
  }

  throwIfAny(): void {
    const [first] = Object.entries(this.#said);
    if (first) throw new Problem('parameter_invalid', named(first[0], first[1][0]), this.#said);
  }
}
