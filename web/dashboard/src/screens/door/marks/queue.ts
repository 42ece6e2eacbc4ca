/**
 * Marks that the interface has not heard of yet. Pure: what is put in, which comes next, and what becomes of it. Each mark
 * has the idempotency key that it was given when somebody tapped, so that it takes effect once, however often it is sent.
 */

export type Status = 'attended' | 'no_show' | 'registered';

export interface Mark {
  /** a UUID */
  readonly key: string;
  /** id of the attendance */
  readonly attendance: number;
  /** id of the event */
  readonly event: number;
  /** of the customer, to say whose mark was refused */
  readonly name: string;
  readonly status: Status;
  /** when somebody tapped, epoch ms */
  readonly at: number;
  /** it is on its way, or may have arrived: only the same may be sent with its key */
  readonly sent?: boolean;
}

export interface RefusedMark extends Mark {
  /** of the closed list of refusals */
  readonly code: string;
  /** the interface's own words */
  readonly message: string;
}

export interface Queue {
  /** oldest first */
  readonly waiting: readonly Mark[];
  readonly refused: readonly RefusedMark[];
}

/** More than any class has people; what does not fit is not taken. */
export const MOST_WAITING = 500;
export const MOST_REFUSED = 50;

export const EMPTY: Queue = { waiting: [], refused: [] };

/**
 * With one mark more; null: too many wait. What was not sent yet about the same booking is replaced: of somebody who
 * changes their mind, only the last mark is sent. What was refused about it is settled by the new mark.
 */
export function put({ waiting, refused }: Queue, mark: Mark): Queue | null {
  const kept = waiting.filter(({ attendance, sent }) => sent || attendance !== mark.attendance);
  if (kept.length >= MOST_WAITING) return null;
  return {
    waiting: [...kept, mark],
    refused: refused.filter(({ attendance }) => attendance !== mark.attendance),
  };
}

/** What is to be sent next, in the order in which people tapped. */
export const next = ({ waiting }: Queue): Mark | undefined => waiting[0];

/** It is on its way. */
export const sending = (queue: Queue, key: string): Queue => ({
  ...queue,
  waiting: queue.waiting.map((mark) => (mark.key === key ? { ...mark, sent: true } : mark)),
});

/** It has taken effect. */
export const arrived = (queue: Queue, key: string): Queue => ({
  ...queue,
  waiting: queue.waiting.filter((mark) => mark.key !== key),
});

/** The interface says no: it is not sent again, and is listed until somebody has seen to it. */
export function refuse(queue: Queue, key: string, why: Pick<RefusedMark, 'code' | 'message'>): Queue {
  const mark = queue.waiting.find((one) => one.key === key);
  if (!mark) return queue;
  // Someone has said something else about it since: that is what counts.
  const settled = queue.waiting.some((one) => one.key !== key && one.attendance === mark.attendance);
  const { sent: _, ...rest } = mark;
  const refused = settled ? queue.refused : [...queue.refused, { ...rest, ...why }].slice(-MOST_REFUSED);
  return { ...arrived(queue, key), refused };
}

/** Somebody has seen why it was refused. */
export const dismiss = (queue: Queue, key: string): Queue => ({
  ...queue,
  refused: queue.refused.filter((mark) => mark.key !== key),
});

/** The status of each booking as the people at the door left it, where it is not told yet. */
export const told = ({ waiting }: Queue): ReadonlyMap<number, Status> =>
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

/** What was kept as text; what is not a queue is an empty one. */
export function parse(text: string | null): Queue {
  try {
    const { waiting, refused } = JSON.parse(text ?? '') as Partial<Queue>;
    if (!Array.isArray(waiting) || !Array.isArray(refused)) return EMPTY;
    return { waiting: waiting.filter(isMark), refused: refused.filter(isRefused) };
  } catch {
    return EMPTY;
  }
}
