import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith, listAndGet } from '../../../kernel/api/endpoint.ts';
import { changedNames, insertRow, replaceLinks, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { called, id, idsOf, object, oneOf, refs, text } from '../../../kernel/base/fields/kinds.ts';
import { Issues } from '../../../kernel/base/problem.ts';
import { MEMBERSHIP_PENALTY } from './notification-type.ts';
import { membershipPenaltyMessageFeed } from './feed.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { templateProblem } from '../../../kernel/base/values/template.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const LINK = {
  table: 'membership_penalty_message_system',
  parent: 'membership_penalty_message_id',
  child: 'membership_penalty_system_id',
};
const template = () => object({ subject: text({ max: 300 }), body: text({ max: 20_000 }) });

export const membershipPenaltyMessage = resource('membership_penalty_message', {
  description: 'A message that people get about an infraction or a penalty.',
  fields: {
    id: id(),
    email_template: called('email_template', template()).from((t) =>
      raw(`jsonb_build_object('subject', ${t}.subject, 'body', ${t}.body)`),
    ),
    trigger_type: oneOf(['non_penalized_infraction', 'penalty']).describe(
      'An infraction that is still free, or one too many.',
    ),
    penalty_systems: idsOf('membership_penalty_system', LINK),
  },
  visible: { provider: true, customer: false, unregistered: false },
});

const who = staffWith('super_admin');
const path = '/communication/notification_types/membership_penalty/messages';

const body = {
  email_template: called('email_template_texts', template()).describe(
    'Can contain merge fields, for example `{{membership.name}}`. The notification type lists them.',
  ),
  trigger_type: membershipPenaltyMessage.fields.trigger_type,
  penalty_systems: refs('membership_penalty_system', { max: 1000 }),
};

type Values = Partial<ValueOf<typeof body>>;

function columnsOf({ email_template: texts, trigger_type }: Values) {
  const issues = new Issues();
  for (const part of ['subject', 'body'] as const) {
    const problem = texts && templateProblem(texts[part], MEMBERSHIP_PENALTY.fields);
    if (problem) issues.add(`email_template.${part}`, problem);
  }
  issues.throwIfAny();
  return { ...texts, trigger_type };
}

const link = (work: Work, message: number, systems: readonly number[]) =>
  replaceLinks(work, LINK.table, { column: LINK.parent, id: message }, { column: LINK.child, ids: systems });

const membershipPenaltyMessageChanges = changes(membershipPenaltyMessage, {
  path: path,
  noun: 'message about infractions or penalties',
  who,
  body,
  create: {
    description:
      'It is sent by email, once, when an infraction or a penalty under one of its systems is recorded. For a child, it goes to the parents.',
    run: async ({ work, body: values }) => {
      const message = await insertRow(work, 'membership_penalty_message', columnsOf(values));
      await link(work, message, values.penalty_systems);
      work.record(membershipPenaltyMessageFeed.created, message, { membership_penalty_message: message });
      return message;
    },
  },
  update: async ({ work, body: values, target }) => {
    const changed = changedNames(values);
    if (changed.length === 0) return;
    await updateRow(work, 'membership_penalty_message', target.id, columnsOf(values));
    if (values.penalty_systems) await link(work, target.id, values.penalty_systems);
    work.record(membershipPenaltyMessageFeed.updated, target.id, { membership_penalty_message: target.id, changed });
  },
  remove: async ({ work, target }) => {
    await deleteRow(work, 'membership_penalty_message', target.id);
    work.record(membershipPenaltyMessageFeed.deleted, target.id, { membership_penalty_message: target.id });
  },
});

export const messageEndpoints = [
  ...listAndGet(membershipPenaltyMessage, {
    path,
    summary: 'List messages about infractions and penalties',
    get: 'Get a message about infractions or penalties',
    who,
  }),
  ...membershipPenaltyMessageChanges,
];
