/**
 * Marks that the interface has not recorded yet. Pure: adding a mark, choosing the next one, and handling the outcome.
 * Each mark gets an idempotency key when it is tapped, so that it takes effect once, however often it is sent.
 */

export type Status = 'attended' | 'no_show' | 'registered';

export interface Mark {
  /** a UUID */
  readonly key: string;
  /** id of the attendance */
  readonly attendance: number;
  /** id of the event */
  readonly event: number;
  /** of the customer, to show whose mark was refused */
  readonly name: string;
  readonly status: Status;
  /** time of the tap, in epoch milliseconds */
  readonly at: number;
  /** in flight, or possibly received: its key may only be used for the same mark */
  readonly sent?: boolean;
}

export interface RefusedMark extends Mark {
  /** one of the listed refusal codes */
  readonly code: string;
  /** the message of the interface */
  readonly message: string;
}

export interface Queue {
  /** oldest first */
  readonly waiting: readonly Mark[];
  readonly refused: readonly RefusedMark[];
}

/** More than any class has customers; marks beyond it are rejected. */
export const MAX_WAITING = 500;
export const MAX_REFUSED = 50;

export const EMPTY: Queue = { waiting: [], refused: [] };

/**
 * Adds a mark; null if too many are waiting. Replaces unsent marks of the same booking: if somebody changes their mind,
 * only the last mark is sent. The new mark also settles a refused mark of the same booking.
 */
export function put({ waiting, refused }: Queue, mark: Mark): Queue | null {
  const kept = waiting.filter(({ attendance, sent }) => sent || attendance !== mark.attendance);
  if (kept.length >= MAX_WAITING) return null;
  return {
    waiting: [...kept, mark],
    refused: refused.filter(({ attendance }) => attendance !== mark.attendance),
  };
}

/** Returns the next mark to send, in the order of the taps. */
export const next = ({ waiting }: Queue): Mark | undefined => waiting[0];

/** Marks it as in flight. */
export const sending = (queue: Queue, key: string): Queue => ({
  ...queue,
  waiting: queue.waiting.map((mark) => (mark.key === key ? { ...mark, sent: true } : mark)),
});

/** Removes a mark that has taken effect. */
export const arrived = (queue: Queue, key: string): Queue => ({
  ...queue,
  waiting: queue.waiting.filter((mark) => mark.key !== key),
});

/** Records a refusal: the mark is not sent again, and is listed until somebody dismisses it. */
export function refuse(queue: Queue, key: string, why: Pick<RefusedMark, 'code' | 'message'>): Queue {
  const mark = queue.waiting.find((one) => one.key === key);
  if (!mark) return queue;
  // A newer mark of the same booking takes precedence.
  const settled = queue.waiting.some((one) => one.key !== key && one.attendance === mark.attendance);
  const { sent: _, ...rest } = mark;
  const refused = settled ? queue.refused : [...queue.refused, { ...rest, ...why }].slice(-MAX_REFUSED);
  return { ...arrived(queue, key), refused };
}

/** Removes a refused mark that somebody has seen. */
export const dismiss = (queue: Queue, key: string): Queue => ({
  ...queue,
  refused: queue.refused.filter((mark) => mark.key !== key),
});

/** Returns the unsent status of each booking that was marked here. */
export const marksIn = ({ waiting }: Queue): ReadonlyMap<number, Status> =>
  new Map(waiting.map(({ attendance, status }) => [attendance, status]));

const STATUSES: readonly unknown[] = ['attended', 'no_show', 'registered'] satisfies Status[];

const isMark = (one: unknown): one is Mark => {
  const mark = one as Partial<Mark> | null;
  return (
    typeof mark?.key === 'string' &&
    Number.isSafeInteger(mark.attendance) &&
    Number.isSafeInteger(mark.event) &&
    typeof mark.name === 'string' &&
    STATUSES.includes(mark.status)
  );
};

const isRefused = (one: unknown): one is RefusedMark =>
  isMark(one) && typeof (one as Partial<RefusedMark>).message === 'string';

/** Parses a stored queue; returns an empty queue if the text is not one. */
export function parse(text: string | null): Queue {
  try {
    const { waiting, refused } = JSON.parse(text ?? '') as Partial<Queue>;
    if (!Array.isArray(waiting) || !Array.isArray(refused)) return EMPTY;
    return { waiting: waiting.filter(isMark), refused: refused.filter(isRefused) };
  } catch {
    return EMPTY;
  }
}
