import { changes } from '../../../kernel/api/resource-changes.ts';
import { action, answer, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { changeDestination, createDestination, deleteDestination, pause, resume, rotateSecret } from './writes.ts';
import { delivery } from './delivery.ts';
import { destination } from './destination.ts';
import { integer, text } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { replay } from './replay.ts';
import { NOT_RETRIED, sendTest } from './deliveries.ts';
import { venueLimit } from '../../../kernel/api/venue-limit.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';

const who = staffWith('developer');
const f = destination.fields;

const body = { url: f.url, description: f.description.optional(), feed_item_types: f.feed_item_types };

/** Resolves the name before the transaction opens, because DNS may take long. */
async function checkUrl({ url }: { url?: string }, { outbound }: Installation): Promise<void> {
  const problem = url === undefined ? null : await outbound.problem(url);
  if (problem !== null) throw invalid('url', problem);
}

const destinationChanges = changes(destination, {
  path: '/webhook_destinations',
  noun: 'webhook destination',
  who,
  body,
  create: {
    description:
      'The response contains the `secret` that requests are signed with, only this once. The destination gets what happens from now on. Use `replay` to send what happened before.',
    problems: ['conflict'],
    ahead: checkUrl,
    run: ({ work, body: values }) => {
      if (work.viewer.venues !== null) throw venueLimit(work.viewer, 'webhooks cover the whole business.');
      return createDestination(work, values);
    },
  },
  update: {
    ahead: checkUrl,
    run: async ({ work, body: values, target }) => {
      await changeDestination(work, target.id, values);
    },
  },
  remove: {
    description: 'Deliveries that have not been sent yet are cancelled.',
    run: ({ work, target }) => deleteDestination(work, target.id),
  },
});

const rotate_secret = action({
  path: '/webhook_destinations/{id}/rotate_secret',
  summary: 'Rotate the secret of a webhook destination',
  description:
    'The response contains the new secret, only this once. For `overlap_hours`, requests are also signed with the previous secret. Older secrets end.',
  who,
  target: destination,
  body: {
    overlap_hours: integer({ min: 0, max: 168 })
      .default(24)
      .describe('For how many hours requests are also signed with the previous secret.'),
  },
  returns: one(destination),
  run: async ({ work, body: { overlap_hours }, target }) => {
    await rotateSecret(work, target.id, overlap_hours);
    return target.id;
  },
});

const pause_destination = action({
  path: '/webhook_destinations/{id}/pause',
  summary: 'Pause a webhook destination',
  description:
    'Nothing is sent until the destination is resumed. What happens in the meantime is kept for at most 30 days.',
  who,
  target: destination,
  body: { reason: text({ max: 1000 }).nullable().optional() },
  problems: ['conflict'],
  returns: one(destination),
  run: async ({ work, body: { reason }, target }) => {
    if (target.status !== 'active') throw new Problem('conflict', `The destination is already ${target.status}.`);
    await pause(work, target.id, 'staff', reason ?? null);
    return target.id;
  },
});

const resume_destination = action({
  path: '/webhook_destinations/{id}/resume',
  summary: 'Resume a webhook destination',
  description:
    'For a destination that is paused or disabled. What was kept while it was paused is sent immediately. Nothing is kept for a disabled destination: use `replay` to send it.',
  who,
  target: destination,
  problems: ['conflict'],
  returns: one(destination),
  run: async ({ work, target }) => {
    if (target.status === 'active') throw new Problem('conflict', 'The destination is already active.');
    await resume(work, target.id);
    return target.id;
  },
});

const test_destination = action({
  path: '/webhook_destinations/{id}/test',
  silent: NOT_RETRIED,
  summary: 'Send a test delivery',
  description:
    'Returns the delivery. Get it again to see its result. Its only feed item has the id 0 and the type `webhook_destination.test`.',
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
  silent: NOT_RETRIED,
  summary: 'Replay a range of the feed',
  description:
    'Sends the items with numbers after `after`, up to and including `before`, if the destination subscribes to their types. Items that were sent before are sent again with the same Service-Webhook-ID. At most 100,000 numbers at a time. A job sends them. Items that are no longer kept by then are not sent; a delivery that was waiting already is cancelled, and its last attempt says why.',
  who,
  target: destination,
  body: {
    after: integer({ min: 0 }).describe('Number of the feed item before the first one to send.'),
    before: integer({ min: 1 }).optional().describe('Number of the last feed item to send. Defaults to the newest.'),
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

export const changeDestinations = [
  ...destinationChanges,
  rotate_secret,
  pause_destination,
  resume_destination,
  test_destination,
  replay_destination,
];
