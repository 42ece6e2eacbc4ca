import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrived,
  dismiss,
  EMPTY,
  MAX_REFUSED,
  MAX_WAITING,
  parse,
  put,
  refuse,
  sending,
  marksIn,
  type Mark,
  type Queue,
  type Status,
} from './queue.ts';
import { sendAll, type Outcome } from './send.ts';

const mark = (attendance: number, status: Status = 'attended', key = `${attendance} ${status}`): Mark => ({
  key,
  attendance,
  event: 1,
  name: `Customer ${attendance}`,
  status,
  at: 0,
});
const queueOf = (...marks: Mark[]): Queue => marks.reduce<Queue>((queue, one) => put(queue, one)!, EMPTY);
const no = { code: 'not_registered', message: 'The customer is not booked on this event.' };

/** A fake interface that applies each key once, and a connection with the outcomes that the test gives. */
class Line {
  queue: Queue;
  readonly sent: string[] = [];
  readonly effects = new Map<string, Status>();
  readonly outcomes: Outcome[];
  /** called while a mark is in flight */
  meanwhile: (mark: Mark) => void = () => {};

  constructor(queue: Queue, ...outcomes: Outcome[]) {
    this.queue = queue;
    this.outcomes = outcomes;
  }

  read = (): Queue => this.queue;
  change = (how: (queue: Queue) => Queue): void => {
    this.queue = how(this.queue);
  };
  send = async (one: Mark): Promise<Outcome> => {
    this.sent.push(one.key);
    this.meanwhile(one);
    const outcome = this.outcomes.shift() ?? { kind: 'arrived' };
    if (outcome.kind !== 'refused') this.effects.set(one.key, one.status);
    return outcome;
  };
}

test('marks are sent in the order of the taps', async () => {
  const line = new Line(queueOf(mark(3), mark(1), mark(2)));
  assert.equal(await sendAll(line), true);
  assert.deepEqual(line.sent, ['3 attended', '1 attended', '2 attended']);
  assert.deepEqual(line.queue, EMPTY);
});

test('only the last of several unsent marks of a booking is sent', () => {
  const queue = queueOf(mark(1), mark(2), mark(1, 'no_show'));
  assert.deepEqual(
    queue.waiting.map(({ key }) => key),
    ['2 attended', '1 no_show'],
  );
  assert.deepEqual(
    marksIn(queue),
    new Map([
      [2, 'attended'],
      [1, 'no_show'],
    ]),
  );
});

test('a mark that may have been received is sent again with its key before any other mark of the booking', async () => {
  const line = new Line(queueOf(mark(1)), { kind: 'lost' });
  assert.equal(await sendAll(line), false);
  line.change((queue) => put(queue, mark(1, 'registered'))!);
  assert.equal(marksIn(line.queue).get(1), 'registered');
  assert.equal(await sendAll(line), true);
  assert.deepEqual(line.sent, ['1 attended', '1 attended', '1 registered']);
  assert.deepEqual([...line.effects.keys()], ['1 attended', '1 registered']);
  assert.deepEqual(line.queue, EMPTY);
});

test('a lost connection keeps all waiting marks, and a retry duplicates nothing', async () => {
  const line = new Line(queueOf(mark(1), mark(2), mark(3)), { kind: 'arrived' }, { kind: 'lost' }, { kind: 'lost' });
  assert.equal(await sendAll(line), false);
  assert.equal(await sendAll(line), false);
  assert.equal(line.queue.waiting.length, 2);
  assert.equal(await sendAll(line), true);
  assert.deepEqual(line.sent, ['1 attended', '2 attended', '2 attended', '2 attended', '3 attended']);
  assert.equal(line.effects.size, 3);
});

test('a refused mark is listed with the reason, is not sent again, and delays nothing', async () => {
  const line = new Line(queueOf(mark(1), mark(2)), { kind: 'refused', ...no });
  assert.equal(await sendAll(line), true);
  assert.deepEqual(line.sent, ['1 attended', '2 attended']);
  assert.deepEqual(
    line.queue.refused.map(({ name, code, message }) => ({ name, code, message })),
    [{ name: 'Customer 1', ...no }],
  );
  assert.equal(marksIn(line.queue).size, 0);
  assert.deepEqual(dismiss(line.queue, '1 attended'), EMPTY);
});

test('a new mark settles a refused one of the same booking', async () => {
  const before = refuse(queueOf(mark(1)), '1 attended', no);
  assert.equal(put(before, mark(1, 'attended', 'again'))!.refused.length, 0);
  // Tapped while the first is still in flight.
  const line = new Line(queueOf(mark(1)), { kind: 'refused', ...no });
  line.meanwhile = ({ status }) => {
    if (status === 'attended') line.change((queue) => put(queue, mark(1, 'no_show'))!);
  };
  assert.equal(await sendAll(line), true);
  assert.deepEqual(line.queue, EMPTY);
});

test('a mark that is added during sending is sent in the same run', async () => {
  const line = new Line(queueOf(mark(1)));
  line.meanwhile = ({ attendance }) => {
    if (attendance === 1) line.change((queue) => put(queue, mark(2))!);
  };
  assert.equal(await sendAll(line), true);
  assert.deepEqual(line.sent, ['1 attended', '2 attended']);
});

test('the queue is limited in size', () => {
  let queue = EMPTY;
  for (let i = 0; i < MAX_WAITING; i++) queue = put(queue, mark(i))!;
  assert.equal(put(queue, mark(MAX_WAITING)), null);
  // A customer in the queue can still change their mind.
  assert.equal(put(queue, mark(0, 'no_show'))!.waiting.length, MAX_WAITING);
  for (const { key } of queue.waiting) queue = refuse(queue, key, no);
  assert.equal(queue.refused.length, MAX_REFUSED);
  assert.equal(queue.refused.at(-1)!.attendance, MAX_WAITING - 1);
});

test('the queue survives a reload, and stored text that is not a queue is read as an empty one', () => {
  const queue = refuse(sending(queueOf(mark(1), mark(2)), '2 attended'), '1 attended', no);
  assert.deepEqual(parse(JSON.stringify(queue)), queue);
  assert.equal(parse(JSON.stringify(queue)).waiting[0].sent, true);
  for (const text of [null, '', '[]', '7', '{"waiting":1}', '{"waiting":[],"refused":null}'])
    assert.deepEqual(parse(text), EMPTY);
  assert.deepEqual(parse('{"waiting":[{"key":1},null],"refused":[]}'), EMPTY);
});

test('a mark that has arrived is removed, and handling its arrival twice changes nothing', () => {
  const once = arrived(queueOf(mark(1), mark(2)), '1 attended');
  assert.equal(once.waiting.length, 1);
  assert.deepEqual(arrived(once, '1 attended'), once);
  assert.deepEqual(refuse(once, '1 attended', no), once);
});
