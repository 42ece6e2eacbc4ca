import { deleteRow } from '../../../kernel/work/unit/row.ts';
import { action, create, one, remove, staffWith, update } from '../../../kernel/api/endpoint.ts';
import { boolean, instant, integer } from '../../../kernel/base/fields/kinds.ts';
import { broadcastMessageFeed } from './feed.ts';
import { broadcastMessage } from './broadcast-message.ts';
import { cancelBroadcast, changeBroadcast, createBroadcast, sendBroadcast, type Broadcast } from './writes.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { IDENTITY_PROBLEMS } from '../../people/identity/index.ts';

const f = broadcastMessage.fields;

export const who = staffWith('super_admin');

const IGNORED = 'Read-only. Ignored if sent.';

/** The API accepts these in requests, but only the service sets them. */
const readOnly = {
  sent_by: integer().nullable().optional().describe(IGNORED),
  is_sent: boolean().nullable().optional().describe(IGNORED),
  sent_at: instant().nullable().optional().describe(IGNORED),
  scheduled_at: instant().nullable().optional().describe(IGNORED),
};

/** All properties of a broadcast, as PUT and `send` take them. */
const whole = {
  message: f.message,
  use_case: f.use_case,
  channel: f.channel,
  subject: f.subject,
  html: f.html.optional(),
  target_recipients: f.target_recipients.optional(),
  defer_sending: f.defer_sending.optional(),
  ...readOnly,
};

const written = ({ sent_by: _by, is_sent: _is, sent_at: _at, scheduled_at: _when, ...values }: Record<string, any>) =>
  values;

function checkDraft({ status }: Record<string, any>): void {
  if (status !== 'draft')
    throw new Problem(
      'conflict',
      `The broadcast is no longer a draft: it is ${status}.${status === 'scheduled' ? ' Cancel it, and create another one.' : ''}`,
    );
}

const path = '/communication/broadcast_messages';

export const changeBroadcasts = [
  create(broadcastMessage, {
    path,
    summary: 'Create a draft of a broadcast message',
    description: 'Nothing is sent before `send`, not even with `defer_sending`, which sets when it is sent after that.',
    who,
    body: {
      message: f.message,
      use_case: f.use_case,
      target_recipients: f.target_recipients,
      channel: f.channel.default('email'),
      subject: f.subject.optional(),
      html: f.html.optional(),
      defer_sending: f.defer_sending.optional(),
    },
    run: ({ work, body }) => createBroadcast(work, body as Parameters<typeof createBroadcast>[1]),
  }),
  ...update(broadcastMessage, {
    path: `${path}/{id}`,
    summary: 'Update a draft',
    description: "A broadcast that is scheduled, being sent or already sent can't be changed.",
    who,
    body: whole,
    run: async ({ work, body, target }) => {
      checkDraft(target);
      await changeBroadcast(work, target.id, written(body));
      return target.id;
    },
  }),
  remove(broadcastMessage, {
    path: `${path}/{id}`,
    summary: 'Delete a draft',
    who,
    run: async ({ work, target }) => {
      checkDraft(target);
      await deleteRow(work, 'broadcast_message', target.id);
      work.record(broadcastMessageFeed.deleted, target.id, { broadcast_message: target.id });
    },
  }),
  action({
    path: `${path}/{id}/send`,
    summary: 'Send a broadcast message',
    description:
      'Saves the values in the request, then sends the broadcast immediately, or at the time set by `defer_sending`. With `dry_run`, the effects show who would get it.',
    who,
    target: broadcastMessage,
    body: whole,
    returns: one(broadcastMessage),
    problems: [IDENTITY_PROBLEMS.quota_exceeded],
    run: async ({ work, body, target }) => {
      checkDraft(target);
      await changeBroadcast(work, target.id, written(body));
      await sendBroadcast(work, target.id);
      return target.id;
    },
  }),
  action({
    path: `${path}/{id}/cancel`,
    summary: 'Cancel a broadcast message',
    description:
      "Messages that have not been sent yet are never sent. Messages that a mail server has already accepted can't be recalled.",
    who,
    target: broadcastMessage,
    returns: one(broadcastMessage),
    problems: ['already_cancelled'],
    run: async ({ work, target }) => {
      if (target.status === 'cancelled') throw new Problem('already_cancelled', 'The broadcast is already cancelled.');
      if (target.status === 'draft') throw new Problem('conflict', 'The broadcast is a draft. Delete it instead.');
      if (target.status === 'sent')
        throw new Problem('conflict', 'The broadcast has been sent, and nothing is left to cancel.');
      await cancelBroadcast(work, target as Broadcast);
      return target.id;
    },
  }),
];
