/**
 * Every refusal of the service is of a declared kind. The kinds that any area may use are here, the others in their
 * areas.
 */
import { isOneText, wordingFor, type Side, type Wording } from './values/wording.ts';
import { INTERFACE_WORDS, say, type EventKind, type Words } from './values/words.ts';

/** A kind of refusal. */
export interface ProblemKind<Code extends string = string> {
  /** stable code for programs; never changed */
  readonly code: Code;
  readonly status: number;
  /** group of the code, for programs that treat all codes of a group alike */
  readonly type: string;
  readonly means: string;
}

/** Defines kinds of refusals by their codes. An area lists its own in `problems` of its index.ts. */
export const defineProblems = <Code extends string>(
  kinds: Readonly<Record<Code, Omit<ProblemKind, 'code'>>>,
): { readonly [C in Code]: ProblemKind<C> } =>
  Object.fromEntries(
    Object.entries<Omit<ProblemKind, 'code'>>(kinds).map(([code, kind]) => [code, { code, ...kind }]),
  ) as { readonly [C in Code]: ProblemKind<C> };

/** Reasons that come from HTTP, the database, or the state of any object. */
export const GENERAL_PROBLEMS = defineProblems({
  parameter_invalid: {
    status: 400,
    type: 'invalid_request_error',
    means: 'A property of the body or a query parameter is wrong. `field_errors` names it and says how to fix it.',
  },
  provider_header_missing: {
    status: 400,
    type: 'invalid_request_error',
    means: 'The request doesn’t say which business it is for. Send the header Service-Provider-ID.',
  },
  provider_header_invalid: {
    status: 400,
    type: 'invalid_request_error',
    means: 'Service-Provider-ID is not a number.',
  },
  mode_header_missing: {
    status: 400,
    type: 'invalid_request_error',
    means: 'The person is both staff and customer. Send the header Service-Request-Mode.',
  },
  mode_header_invalid: {
    status: 400,
    type: 'invalid_request_error',
    means: 'Service-Request-Mode is neither `provider` nor `customer`.',
  },
  not_authenticated: {
    status: 401,
    type: 'authentication_error',
    means: 'The operation needs a credential, and none was sent.',
  },
  authentication_failed: {
    status: 401,
    type: 'authentication_error',
    means: 'The credential is malformed, unknown, expired or revoked. Get a new one.',
  },
  permission_denied: {
    status: 403,
    type: 'permission_error',
    means:
      'The caller doesn’t have the permission. The message names the mode and the permissions that would be enough.',
  },
  mode_not_allowed: {
    status: 403,
    type: 'permission_error',
    means: 'The caller has no profile for this mode at this business, or the operation is not available in this mode.',
  },
  provider_invalid: {
    status: 403,
    type: 'permission_error',
    means: 'The credential gives no access to this business.',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    means: 'There is nothing here, or nothing that the caller may see.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    means: 'The path exists, but not with this method. `Allow` lists the methods that it has.',
  },
  not_acceptable: {
    status: 406,
    type: 'invalid_request_error',
    means: 'The service responds only with application/json or application/xml.',
  },
  conflict: { status: 409, type: 'conflict', means: 'The change contradicts what is stored.' },
  already_cancelled: { status: 409, type: 'conflict', means: 'It is already cancelled.' },
  already_ended: { status: 409, type: 'conflict', means: 'It has already ended.' },
  already_exists: { status: 409, type: 'conflict', means: 'An object with this unique property already exists.' },
  in_use: { status: 409, type: 'conflict', means: 'Another object still refers to it.' },
  idempotency_key_in_use: {
    status: 409,
    type: 'conflict',
    means: 'A request with this Idempotency-Key is still in progress.',
  },
  version_mismatch: {
    status: 412,
    type: 'conflict',
    means: 'The current version of the resource is not the one in If-Match.',
  },
  body_too_large: { status: 413, type: 'invalid_request_error', means: 'The body is larger than the limit.' },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    means: 'Send application/json, application/x-www-form-urlencoded or multipart/form-data.',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'invalid_request_error',
    means: 'The Idempotency-Key was already used with a different request.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    means: 'Too many requests. `Retry-After` says when you can continue.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    means: 'The service failed. Use the request id to find the error in the log.',
  },
  unavailable: {
    status: 503,
    type: 'api_error',
    means: 'The service can’t reach its database or is shutting down. Try again.',
  },
});

export type GeneralCode = keyof typeof GENERAL_PROBLEMS;

/** The code of a general refusal, or a kind that an area declares. */
export type Refusable = GeneralCode | ProblemKind;

export const kindOf = (refusable: Refusable): ProblemKind =>
  typeof refusable === 'string' ? GENERAL_PROBLEMS[refusable] : refusable;

/** A requirement that must be met first. `path`: its page, below the address of the service. */
export interface Required {
  readonly kind: string;
  readonly id: number;
  readonly title: string;
  readonly customer: number;
  readonly path: string;
}

/**
 * A refusal: thrown anywhere, turned into the response by the pipeline. `fields` maps a body or query name (dots for
 * nested) to messages. A refusal that customers can get, and whose text for staff would not help them, has both texts
 * where it is declared; the code that responds picks one.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly fields: Record<string, string[]>;
  readonly headers: Record<string, string>;
  /** alternatives to the requested object, as its operation prints them; empty if there are none */
  readonly alternatives: readonly unknown[];
  readonly #said: { readonly message: Wording; readonly fields: Record<string, Wording[]> };
  /** requirements that must be met first; empty if there are none */
  #requirements: readonly Required[] = [];
  /** the kind of the event that the refusal concerns */
  #kind: EventKind | null = null;
  constructor(
    kind: Refusable,
    message: Wording,
    fields: Record<string, Wording[]> = {},
    headers: Record<string, string> = {},
    alternatives: readonly unknown[] = [],
  ) {
    super(wordingFor('staff', message, INTERFACE_WORDS));
    this.kind = kindOf(kind);
    this.fields = fieldsFor('staff', fields, INTERFACE_WORDS);
    this.headers = headers;
    this.alternatives = alternatives;
    this.#said = { message, fields };
  }
  /** Sets the kind of the event, so that the text uses the business's word for it. */
  about(kind: EventKind): this {
    this.#kind = kind;
    return this;
  }
  /** Adds the requirements that must be met first. */
  requiring(requirements: readonly Required[]): this {
    this.#requirements = requirements;
    return this;
  }
  get requirements(): readonly Required[] {
    return this.#requirements;
  }
  /** Returns the same refusal with the text for this side; `words` are those of the business. */
  localizedFor(side: Side, words: Words): Problem {
    const { message, fields } = this.#said;
    const plain = [message, ...Object.values(fields).flat()].every((text) => typeof text === 'string');
    if ((plain && words.speaker === null) || side === 'staff') return this;
    const received = this.#kind === null ? words : words.about(this.#kind);
    return new Problem(
      this.kind,
      wordingFor(side, message, received),
      fieldsFor(side, fields, received),
      this.headers,
      this.alternatives,
    ).requiring(this.#requirements);
  }
  get code(): string {
    return this.kind.code;
  }
  get status(): number {
    return this.kind.status;
  }
  /** Returns the body of the response. `pagesUrl`: the address below which pages are. */
  body(requestId: string, pagesUrl = '') {
    return {
      code: this.code,
      message: this.message,
      type: this.kind.type,
      field_errors: this.fields,
      request_id: requestId,
      ...(this.alternatives.length > 0 && { alternatives: this.alternatives }),
      ...(this.#requirements.length > 0 && {
        requirements: this.#requirements.map(({ path, ...one }) => ({ ...one, url: `${pagesUrl}${path}` })),
      }),
    };
  }
}

const fieldsFor = (side: Side, fields: Record<string, Wording[]>, words: Words): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, all]) => [name, all.map((wording) => wordingFor(side, wording, words))]),
  );

/**
 * A refusal that keeps its work: changes that `run` made before it returned this are committed. A refusal that is
 * thrown rolls everything back.
 */
export class Refused {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

/** Returns a 400 `parameter_invalid` that names the wrong property or parameter. */
export const invalid = (field: string, message: Wording): Problem =>
  new Problem('parameter_invalid', named(field, message), { [field]: [message] });

const named = (field: string, wording: Wording): Wording => {
  if (typeof wording === 'string') return `${field}: ${wording}`;
  if (isOneText(wording)) return say`${field}: ${wording}`;
  return { staff: `${field}: ${wording.staff}`, customer: wording.customer };
};

export const notFound = (): Problem => new Problem('not_found', 'Not found.');

const MAX_ISSUES = 20;
/** Finding a suggestion takes longer than finding the mistake. */
const MAX_SUGGESTIONS = 5;

/**
 * Mistakes in several places, collected to be reported together: the first twenty, so that a bad body cannot cause much
 * work.
 */
export class Issues {
  /** no prototype: callers choose the names, and `constructor` is one */
  readonly #said: Record<string, Wording[]> = Object.create(null);
  #found = 0;
  #suggested = 0;

  /** in the words for staff */
  get fields(): Record<string, string[]> {
    return fieldsFor('staff', this.#said, INTERFACE_WORDS);
  }

  /** true if no more mistakes are recorded: a long check may stop */
  get full(): boolean {
    return this.#found > MAX_ISSUES;
  }

  add(path: string, message: Wording): undefined {
    this.#found++;
    const cut = this.#found === MAX_ISSUES + 1;
    if (this.#found <= MAX_ISSUES || cut) {
      (this.#said[cut || !path ? 'non_field_errors' : path] ??= []).push(
        cut ? `Only the first ${MAX_ISSUES} problems are listed.` : message,
      );
    }
    return undefined;
  }

  /** Records an undeclared name; `near` finds the one that was probably meant. */
  addUnknown(path: string, what: string, near: () => string | undefined): undefined {
    const meant = !this.full && this.#suggested++ < MAX_SUGGESTIONS ? near() : undefined;
    return this.add(path.slice(0, 80).toWellFormed(), `Unknown ${what}.${meant ? ` Did you mean "${meant}"?` : ''}`);
  }

  throwIfAny(): void {
    const [first] = Object.entries(this.#said);
    if (first) throw new Problem('parameter_invalid', named(first[0], first[1][0]), this.#said);
  }
}
