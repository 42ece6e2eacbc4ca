/** Stripe's responses to requests that it refuses. */
export interface StripeErrorBody {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly payment_intent?: object;
}

export class Refusal extends Error {
  readonly status: number;
  readonly error: StripeErrorBody;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export const invalid = (message: string, code?: string, param?: string): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', message, code, param });

export const missing = (what: string, id: string, param = 'id', status = 404): Refusal =>
  new Refusal(status, {
    type: 'invalid_request_error',
    message: `No such ${what}: '${id}'`,
    code: 'resource_missing',
    param,
  });
