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
  parameter_invalid: kind(400, 'invalid_request_error', 'A property of the body or a query parameter is wrong; `field_errors` names it and says how to mend it.'),
  provider_header_missing: kind(400, 'invalid_request_error', 'The credential reaches several businesses, or none is named: send the header Service-Provider-ID.'),
  provider_header_invalid: kind(400, 'invalid_request_error', 'Service-Provider-ID is not a number.'),
  mode_header_missing: kind(400, 'invalid_request_error', 'The person is both staff and customer: send the header Service-Request-Mode.'),
  mode_header_invalid: kind(400, 'invalid_request_error', 'Service-Request-Mode is neither `provider` nor `customer`.'),
  not_authenticated: kind(401, 'authentication_error', 'No credential was sent where one is needed.'),
  authentication_failed: kind(401, 'authentication_error', 'The credential is malformed, unknown, expired or revoked.'),
  permission_denied: kind(403, 'permission_error', 'The caller lacks the permission; the message names the mode and the permissions that would do.'),
  mode_not_allowed: kind(403, 'permission_error', 'The caller has no profile of this mode at this business, or the operation is not for this mode.'),
  provider_invalid: kind(403, 'permission_error', 'The credential does not reach this business.'),
  not_found: kind(404, 'not_found_error', 'There is nothing here that the caller may see.'),
  method_not_allowed: kind(405, 'invalid_request_error', 'The path exists, the method does not; `Allow` lists those that do.'),
  not_acceptable: kind(406, 'invalid_request_error', 'The service answers application/json or application/xml.'),
  conflict: kind(409, 'conflict', 'The change contradicts what is stored.'),
  already_cancelled: kind(409, 'conflict', 'It has been cancelled before.'),
  already_ended: kind(409, 'conflict', 'It has been ended before.'),
  already_started: kind(409, 'conflict', 'The event has begun; this is only possible before.'),
  already_exists: kind(409, 'conflict', 'Something with this unique property exists.'),
  in_use: kind(409, 'conflict', 'Something else still refers to it.'),
  room_taken: kind(409, 'conflict', 'The room is used by another event at that time.'),
  instructor_taken: kind(409, 'conflict', 'The instructor teaches another event at that time.'),
  capacity_below_bookings: kind(409, 'conflict', 'More people are booked, or hold a reserved spot, than the new capacity allows.'),
  quota_exceeded: kind(409, 'conflict', 'More e-mails than the business may still send in this month; the message says how many are left.'),
  idempotency_key_in_use: kind(409, 'conflict', 'A request with this Idempotency-Key is still running.'),
  version_mismatch: kind(412, 'conflict', 'The resource is not in the version that If-Match names.'),
  body_too_large: kind(413, 'invalid_request_error', 'The body is larger than the limit.'),
  unsupported_media_type: kind(415, 'invalid_request_error', 'Send application/json, application/x-www-form-urlencoded or multipart/form-data.'),
  idempotency_key_reused: kind(422, 'invalid_request_error', 'The Idempotency-Key was used with another request.'),
  rate_limited: kind(429, 'rate_limit_error', 'Too many requests; `Retry-After` says when to go on.'),
  internal_error: kind(500, 'api_error', 'The service failed; the request id leads to its log.'),
  unavailable: kind(503, 'api_error', 'The service cannot reach its database or is shutting down; try again.'),
  event_full: kind(400, 'event_check_failure', 'The event is full; the message says which place on the waitlist is offered.'),
  event_cancelled: kind(400, 'event_check_failure', 'The event is cancelled.'),
  event_started: kind(400, 'event_check_failure', 'The event has begun.'),
  registration_not_open: kind(400, 'event_check_failure', 'Booking opens later; the message says when.'),
  registration_closed: kind(400, 'event_check_failure', 'Booking has closed; the message says when it did.'),
  registration_not_allowed: kind(400, 'event_check_failure', 'No registration timeline of the event is open to this customer.'),
  age_too_low: kind(400, 'event_check_failure', 'The customer is younger than the event allows on its day.'),
  age_too_high: kind(400, 'event_check_failure', 'The customer is older than the event allows on its day.'),
  age_unknown: kind(400, 'event_check_failure', 'The event has an age limit and the date of birth is not known.'),
  customer_not_participating: kind(400, 'event_check_failure', 'The customer manages a family and does not take part.'),
  membership_required: kind(400, 'event_check_failure', 'A membership is needed and the customer has none: sell one that covers the event, or book it `comped`.'),
  membership_does_not_cover: kind(400, 'event_check_failure', 'The membership does not cover the event: choose one that does.'),
  membership_expired: kind(400, 'event_check_failure', 'The membership ends before the event, or has ended: renew it, or choose another one.'),
  membership_not_started: kind(400, 'event_check_failure', 'The membership begins after the event; the message says when.'),
  membership_on_hold: kind(400, 'event_check_failure', 'The membership is on hold on the day of the event: end the hold, or choose another day.'),
  allotment_used_up: kind(400, 'event_check_failure', 'All uses of the membership are used up for that time; the message says from when on there are more.'),
  not_registered: kind(400, 'event_check_failure', 'The customer has no booking of this event.'),
  already_registered: kind(400, 'event_check_failure', 'The customer has a booking of this event.'),
  not_on_waitlist: kind(400, 'event_check_failure', 'The customer does not wait for this event.'),
  waitlist_full: kind(400, 'event_check_failure', 'The waitlist has reached its limit.'),
  waitlist_not_needed: kind(400, 'event_check_failure', 'There are free places: register instead.'),
  attendance_already_marked: kind(400, 'event_check_failure', 'The visit or the absence is marked already; staff can correct it.'),
  checkin_disabled: kind(400, 'event_check_failure', 'The business has switched check-ins off.'),
} satisfies Record<string, Kind>;

export type ProblemCode = keyof typeof PROBLEMS;

/**
 * A refusal; thrown anywhere, answered by the pipeline. `fields` maps a body or query name (dots for nested) to messages. What
 * customers can meet, and could not act on in the words for staff, has both texts where it is declared; whoever answers chooses.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: Record<string, string[]>;
  readonly headers: Record<string, string>;
  readonly #said: { readonly message: Words; readonly fields: Record<string, Words[]> };
  constructor(code: ProblemCode, message: Words, fields: Record<string, Words[]> = {}, headers: Record<string, string> = {}) {
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
    return told && side === 'customer' ? new Problem(this.code, toldTo(side, message), fieldsFor(side, fields), this.headers) : this;
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

/** A refusal whose work is kept: what `run` wrote before it returned this commits. A refusal that is thrown undoes everything. */
export class Refused {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

/** A wrong property or parameter: 400 `parameter_invalid` that names it. */
export const invalid = (field: string, message: Words): Problem => new Problem('parameter_invalid', named(field, message), { [field]: [message] });

const named = (field: string, words: Words): Words =>
  typeof words === 'string' ? `${field}: ${words}` : { staff: `${field}: ${words.staff}`, customer: words.customer };

export const notFound = (): Problem => new Problem('not_found', 'Not found.');

const MOST_ISSUES = 20;
/** Looking for the name that was meant costs more than finding the mistake. */
const MOST_SUGGESTIONS = 5;

/** What went wrong in several places, gathered before it is said at once: the first twenty, so that a bad body cannot make long work. */
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
      (this.#said[cut || !path ? 'non_field_errors' : path] ??= []).push(cut ? `Only the first ${MOST_ISSUES} problems are listed.` : message);
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
