/** Texts and channels of a business's notices. */
import { action, answer, pageOf, paging, read } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { asSet, readSettings, type Setting } from './write.ts';
import { boolean, listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { checkTemplates, named, path, settingOf, template, who } from './templates.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { previewEndpoints } from './preview.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import { textIn, type Words } from '../../../kernel/base/values/words.ts';
import type { NoticeType } from '../../../kernel/work/unit/notices.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';
import type { TemplateField } from '../../../kernel/base/values/template.ts';

const shape = {
  type: text({ max: 60 }),
  description: text(),
  email_enabled: boolean(),
  sms_enabled: boolean().describe('Text messages go to customers who want them and have a verified number.'),
  ...template,
  default_subject: text(),
  default_body: text(),
  default_sms_body: text(),
  customised: boolean().describe('True if the business uses its own texts.'),
  multiple_messages_allowed: boolean(),
  template_variables: listOf(object({ name: text(), description: text(), sample_value: text({ blank: true }) })),
};

const variable =
  (words: Words) =>
  ({ name, description, sample }: TemplateField) => ({ name, description, sample_value: textIn(words, sample) });

function shown(type: NoticeType, setting: Setting | undefined, tenant: Tenant) {
  const [now, ours] = [asSet(type, setting, tenant), asSet(type, undefined, tenant)];
  return {
    type: type.type,
    description: String(type.description),
    email_enabled: now.email,
    sms_enabled: now.sms,
    subject: now.subject,
    body: now.body,
    sms_body: now.smsBody,
    default_subject: ours.subject,
    default_body: ours.body,
    default_sms_body: ours.smsBody,
    customised: [setting?.subject, setting?.body, setting?.sms_body].some((own) => typeof own === 'string'),
    multiple_messages_allowed: false,
    template_variables: type.fields.map(variable(tenant.words)),
  };
}

/** Removes texts that equal the default: if they are sent back as they were shown, they remain the default. */
function ownWords<B extends object>(
  type: NoticeType,
  before: Setting | undefined,
  body: B,
  tenant: Tenant,
): Partial<B> {
  const now: Record<string, unknown> = shown(type, before, tenant);
  const stored: Record<string, unknown> = { ...before };
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => (stored[name] ?? null) !== null || value !== now[name]),
  ) as Partial<B>;
}

const list_types = read({
  path: '/communication/notification_types',
  summary: 'List notification types',
  who,
  query: paging(),
  returns: pageOf(shape),
  run: async ({ work, query }) => {
    const settings = await readSettings(work);
    const all = [...work.registry.notices.values()].filter(({ freeform }) => !freeform);
    return {
      count: all.length,
      results: all
        .slice((query.page! - 1) * query.page_size!, query.page! * query.page_size!)
        .map((type) => shown(type, settings.get(type.type), work.tenant)),
    };
  },
});

const get_type = read({
  path,
  summary: 'Get a notification type',
  who,
  returns: answer(shape),
  run: async ({ work, params }) => shown(named(work, params), await settingOf(work, named(work, params)), work.tenant),
});

const nullable = {
  subject: template.subject.nullable(),
  body: template.body.nullable(),
  sms_body: template.sms_body.nullable(),
};

const change_type = action({
  method: 'PATCH',
  path,
  summary: 'Update the texts and channels of a notification type',
  description:
    'Null restores the default of a text or a switch. Texts can contain merge fields, for example `{{customer.first_name}}`; `template_variables` lists them.',
  who,
  body: allOptional({ email_enabled: boolean().nullable(), sms_enabled: boolean().nullable(), ...nullable }),
  returns: answer(shape),
  run: async ({ work, params, body }) => {
    const type = named(work, params);
    checkTemplates(type, body);
    const before = await settingOf(work, type);
    const { tenant } = work;
    const sent = ownWords(type, before, body, tenant);
    const after = {
      email_enabled: null,
      sms_enabled: null,
      subject: null,
      body: null,
      sms_body: null,
      ...before,
      ...sent,
    };
    await work.tx.run(sql`
      INSERT INTO notification_type_setting (provider_id, type, email_enabled, sms_enabled, subject, body, sms_body,
        updated_at)
      VALUES (${work.providerId}, ${type.type}, ${after.email_enabled}, ${after.sms_enabled}, ${after.subject},
        ${after.body}, ${after.sms_body}, ${instant(work.now)})
      ON CONFLICT (provider_id, type) DO UPDATE SET email_enabled = excluded.email_enabled,
        sms_enabled = excluded.sms_enabled, subject = excluded.subject, body = excluded.body,
        sms_body = excluded.sms_body, updated_at = excluded.updated_at`);
    work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['notification_types'] });
    const [was, is] = [shown(type, before, tenant), shown(type, { ...after, type: type.type }, tenant)];
    const audited = (s: typeof was) => ({
      type: s.type,
      email_enabled: s.email_enabled,
      sms_enabled: s.sms_enabled,
      subject: s.subject,
      body: s.body,
      sms_body: s.sms_body,
    });
    if (JSON.stringify(was) !== JSON.stringify(is))
      work.audit({
        action: 'PATCH /communication/notification_types/{type}',
        object: 'provider',
        objectId: work.providerId,
        before: audited(was),
        after: audited(is),
      });
    return is;
  },
});

export const notificationTypeEndpoints = [list_types, get_type, change_type, ...previewEndpoints];
