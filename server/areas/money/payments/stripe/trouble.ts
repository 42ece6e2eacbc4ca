/**
 * Interpretation of the library's errors: a definite no, or an unknown outcome. They are never passed on, because they
 * contain the request, and with it people's addresses.
 */
import { library } from './client.ts';
import { OutboundFailure, OutboundRefused } from '../../../../kernel/base/http-out/outbound.ts';

/** An error with an unknown outcome. The message is for staff. */
export class StripeTrouble extends Error {
  override name = 'StripeTrouble';
}

interface Refused {
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** the API key does not work, so no request with it will */
  readonly keyFails: boolean;
}

const isReplayed = (headers: Readonly<Record<string, string>> | undefined): boolean =>
  headers?.['idempotent-replayed'] === 'true';

/**
 * Returns why Stripe certainly did not act on this request. Says nothing about earlier requests with the same key.
 *
 * @throws StripeTrouble if it may have acted
 */
export async function refusal(error: unknown): Promise<Refused> {
  const { errors } = await library();
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return { code: undefined, param: undefined, keyFails: true };
  if (error instanceof errors.StripeInvalidRequestError)
    return { code: error.code, param: error.param, keyFails: false };
  if (error instanceof errors.StripeConnectionError && error.detail instanceof OutboundRefused)
    return { code: undefined, param: undefined, keyFails: true };
  throw await trouble(error);
}

/**
 * Returns true if the key is spent on a failure of Stripe, which will be replayed forever. The original request has
 * ended, and its result can be found.
 */
export async function isKeySpent(error: unknown): Promise<boolean> {
  const { errors } = await library();
  return error instanceof errors.StripeAPIError && (error.statusCode ?? 0) >= 500 && isReplayed(error.headers);
}

/** Returns true if the key was used with other parameters. That request may still be in progress. */
export const isKeyTaken = async (error: unknown): Promise<boolean> =>
  error instanceof (await library()).errors.StripeIdempotencyError;

/** Returns an error that may be shown to staff and logged. An error that is not the library's is returned unchanged. */
export async function trouble(error: unknown): Promise<Error> {
  const { errors } = await library();
  if (!(error instanceof errors.StripeError)) return error as Error;
  const request = error.requestId ? ` The request is ${error.requestId} in the Stripe Dashboard.` : '';
  return new StripeTrouble(said(error, errors) + request);
}

function said(
  error: { readonly detail?: unknown; readonly code?: string; readonly statusCode?: number },
  errors: Awaited<ReturnType<typeof library>>['errors'],
): string {
  if (error instanceof errors.StripeAuthenticationError) return 'Stripe doesn’t know the secret key. Set a new one.';
  if (error instanceof errors.StripePermissionError)
    return 'Stripe doesn’t allow this with the restricted key. Give the key the permissions listed in the guide.';
  if (error instanceof errors.StripeRateLimitError)
    return 'Stripe limited the number of requests. The request will be repeated.';
  if (error instanceof errors.StripeConnectionError)
    return `Stripe could not be asked. ${error.detail instanceof OutboundFailure ? error.detail.message : ''}`.trim();
  return `Stripe could not do what it was asked (${error.code ?? error.statusCode ?? 'no status'}).`;
}
