import { action, answer, create, nothing, one, staffWith, update } from '../../kernel/api/endpoint.ts';
import { changeDestination, createDestination, deleteDestination, pause, resume, rotateSecret } from './writes.ts';
import { delivery } from './delivery.ts';
import { destination } from './destination.ts';
import { integer, text } from '../../kernel/api/kinds.ts';
import { invalid, Problem } from '../../kernel/api/problem.ts';
import { replay } from './replay.ts';
import { NOT_AGAIN, sendTest } from './deliveries.ts';
import { venueLimit } from '../../kernel/api/venue-limit.ts';
import type { Installation } from '../../kernel/installation.ts';

const who = staffWith('developer');
const f = destination.fields;

const body = { url: f.url, description: f.description.optional(), feed_item_types: f.feed_item_types };

/** The name is looked up while no transaction is open: a name server may take its time. */
async function checkUrl({ url }: { url?: string }, { outbound }: Installation): Promise<void> {
  const problem = url === undefined ? null : await outbound.problem(url);
  if (problem !== null) throw invalid('url', problem);
}

const create_destination = create(destination, {
  path: '/webhook_destinations',
  summary: 'Enter a webhook destination',
  description: 'The answer shows the `secret` that signs what is sent, and no other ever will. It is told what happens from now on; `replay` sends what happened before.',
  who,
  body,
  problems: ['conflict'],
  ahead: checkUrl,
  run: ({ work, body: values }) => {
    if (work.viewer.venues !== null) throw venueLimit(work.viewer, 'webhooks tell of all of the business.');
    return createDestination(work, values);
  },
});

const update_destination = update(destination, {
  path: '/webhook_destinations/{id}',
  summary: 'Change a webhook destination',
  who,
  body,
  ahead: checkUrl,
  run: async ({ work, body: values, target }) => {
    await changeDestination(work, target.id, values);
    return target.id;
  },
});

const delete_destination = action({
  method: 'DELETE',
  path: '/webhook_destinations/{id}',
  summary: 'Delete a webhook destination',
  description: 'What is still to be sent to it is cancelled.',
  who,
  target: destination,
  returns: nothing,
  run: ({ work, target }) => deleteDestination(work, target.id),
});

const rotate_secret = action({
  path: '/webhook_destinations/{id}/rotate_secret',
  summary: 'Give the destination a new secret',
  description: 'The answer shows it, and no other ever will. For `overlap_hours` what is sent is signed with the one before too; an older one ends.',
  who,
  target: destination,
  body: { overlap_hours: integer({ min: 0, max: 168 }).default(24).describe('How long the secret before still signs.') },
  returns: one(destination),
  run: async ({ work, body: { overlap_hours }, target }) => {
    await rotateSecret(work, target.id, overlap_hours);
    return target.id;
  },
});

const pause_destination = action({
  path: '/webhook_destinations/{id}/pause',
  summary: 'Send nothing until the destination is resumed',
  description: 'What happens meanwhile waits, for 30 days at most.',
  who,
  target: destination,
  body: { reason: text({ max: 1000 }).nullable().optional() },
  problems: ['conflict'],
  returns: one(destination),
  run: async ({ work, body: { reason }, target }) => {
    if (target.status !== 'active') throw new Problem('conflict', `The destination is ${target.status} already.`);
    await pause(work, target.id, 'staff', reason ?? null);
    return target.id;
  },
});

const resume_destination = action({
  path: '/webhook_destinations/{id}/resume',
  summary: 'Send again to a destination that is paused or disabled',
  description: 'What waited is sent at once. For a disabled destination nothing waits: send it with `replay`.',
  who,
  target: destination,
  problems: ['conflict'],
  returns: one(destination),
  run: async ({ work, target }) => {
    if (target.status === 'active') throw new Problem('conflict', 'The destination is active already.');
    await resume(work, target.id);
    return target.id;
  },
});

const test_destination = action({
  path: '/webhook_destinations/{id}/test',
  silent: NOT_AGAIN,
  summary: 'Send a test',
  description: 'Answers the delivery; look at it again to see what came of it. Its one feed item has the id 0 and the type `webhook_destination.test`.',
  who,
  target: destination,
  status: 201,
  problems: ['conflict'],
  returns: one(delivery),
  run: ({ work, target }) => {
    checkActive(target.status);
    return sendTest(work, target.id);
  },
});

const replay_destination = action({
  path: '/webhook_destinations/{id}/replay',
  silent: NOT_AGAIN,
  summary: 'Send a range of the feed',
  description:
    'Items with numbers after `after`, up to and with `before`, are sent if the destination is told of their types. What was sent before is sent again under the same Service-Webhook-ID. 100,000 numbers at most at once; a job does it.',
  who,
  target: destination,
  body: {
    after: integer({ min: 0 }).describe('The number of the feed item before the first.'),
    before: integer({ min: 1 }).optional().describe('The number of the last feed item; the newest unless said.'),
  },
  status: 202,
  problems: ['conflict'],
  returns: answer({ after: integer({ min: 0 }), before: integer({ min: 0 }) }),
  run: ({ work, body: range, target }) => {
    checkActive(target.status);
    return replay(work, target.id, range);
  },
});

export function checkActive(status: string): void {
  if (status !== 'active') throw new Problem('conflict', `The destination is ${status}. Resume it first.`);
}

export const changeDestinations = [create_destination, ...update_destination, delete_destination, rotate_secret, pause_destination, resume_destination, test_destination, replay_destination];
