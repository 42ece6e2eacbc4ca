/** Conversion of thrown errors into refusals that a caller can act on; everything else remains an internal error. */
import { AccessChanged } from '../../base/db/standing.ts';
import { CommitUnknown } from '../../base/db/transaction.ts';
import { BusinessElsewhere } from '../../base/db/elsewhere.ts';
import { Busy } from '../../base/db/sharing/gate.ts';
import { CellAway } from '../../work/unit/other-cells.ts';
import { FilesFailed } from '../../base/files/own-faults.ts';
import { isConnectionLoss } from '../../base/db/connections/loss.ts';
import { Problem } from '../../base/problem.ts';

interface PgError {
  readonly code?: string;
  readonly constraint?: string;
}

export class Failure extends Problem {
  /** the original error, for the log only */
  override readonly cause: unknown;
  constructor(code: 'internal_error' | 'unavailable', message: string, cause: unknown, retryAfterS = 1) {
    super(code, message, {}, code === 'unavailable' ? { 'retry-after': String(retryAfterS) } : {});
    this.cause = cause;
  }
}

/** Space must be made first. */
const FULL_S = 30;

const MOVES = 'The business is moving to another part of the service. Try again.';
/** Refusal if nothing failed, but the result may be wrong because the business is moving. */
export const MOVING: Problem = new Failure('unavailable', MOVES, undefined);

const UNKNOWN =
  'The database stopped answering while the change was being saved, so it may or may not have been saved. ' +
  'Repeat the request with the same Idempotency-Key, or check before you repeat it without one.';

/** Returns true if the error is not one of the request: the database is busy or away, and later it may work. */
export const isUnavailable = (error: unknown): boolean => translate(error, new Map()).code === 'unavailable';

export function translate(error: unknown, constraints: ReadonlyMap<string, () => Problem>): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof AccessChanged)
    return new Failure('unavailable', 'The access of this credential keeps changing. Try again.', error);
  if (error instanceof BusinessElsewhere) return new Failure('unavailable', MOVES, error);
  if (error instanceof CellAway)
    return new Failure('unavailable', 'A part of the service doesn’t answer right now. Try again.', error);
  if (error instanceof Busy)
    return new Failure('unavailable', 'The service is too busy for this right now. Try again.', error);
  const { code, constraint } = error as PgError;
  const known = constraint !== undefined ? constraints.get(constraint) : undefined;
  if (known) return known();
  switch (code) {
    case '23505':
      return new Problem('already_exists', 'An object with this unique property already exists.');
    case '23503':
      return new Problem('in_use', 'This is still in use elsewhere, or something that it names no longer exists.');
    case '23514':
    case '23P01':
    case '23001':
      return new Problem('conflict', 'The change contradicts what is stored.');
    case '22003':
    case '22008':
      return new Problem('parameter_invalid', 'A number or time is out of range.');
    case '57014':
      return new Failure(
        'unavailable',
        'This took too long and was stopped. Narrow the list with filters, or try again.',
        error,
      );
    case '55P03':
    case '40001':
    case '40P01':
      return new Failure('unavailable', 'The service is too busy for this right now. Try again.', error);
    case '53100':
      return new Failure(
        'unavailable',
        'The database’s disk is full, so nothing can be saved right now. Nothing was changed. Try again later.',
        error,
        FULL_S,
      );
    case '53000':
    case '53200':
    case '58030':
      return new Failure('unavailable', 'The database can’t do this right now. Nothing was changed. Try again.', error);
  }
  if (error instanceof FilesFailed)
    return error.full
      ? new Failure(
          'unavailable',
          'The disk for images and other files is full, so none can be saved right now. Nothing was changed. Try again later.',
          error,
          FULL_S,
        )
      : new Failure('unavailable', 'Images and other files can’t be saved or read right now. Try again.', error);
  if (error instanceof CommitUnknown) return new Failure('unavailable', UNKNOWN, error);
  if (isConnectionLoss(error))
    return new Failure('unavailable', 'The service can’t reach its database. Try again.', error);
  return new Failure(
    'internal_error',
    'Something went wrong on our side. Use the request id to find it in the log.',
    error,
  );
}
