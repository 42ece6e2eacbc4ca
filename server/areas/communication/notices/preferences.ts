/** Preferences of a customer: which notices they want, and on which channels. */
import { action, paging, read, selecting, type Who } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { asSet, readSettings } from './write.ts';
import { boolean, id, object, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { checkActsFor, customer, customerFeed } from '../../people/customers/index.ts';
import { keepPreference, preferencesOf, type Preference } from '../messages/index.ts';
import { invalid, notFound } from '../../../kernel/base/problem.ts';
import { sideFor, wordingFor } from '../../../kernel/base/values/wording.ts';
import type { NoticeAsSent } from '../../../kernel/work/unit/notices.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const channels = () => object({ email: boolean(), sms: boolean() });

const shape = {
  object: oneOf(['customer_notification_preference']),
  id: id(),
  type: text(),
  description: text(),
  sms_enabled: boolean(),
  email_enabled: boolean(),
  capabilities: channels().describe('The channels by which the business sends this notice.'),
  toggleability: channels().describe('The channels that the customer can switch on or off.'),
};

const who: Who = { provider: ['customers'], customer: true, unregistered: false };

async function shownTo(work: Work, customerId: number) {
  const rows = await preferencesOf(work, customerId);
  const [own, settings] = [new Map(rows.map((r) => [r.type, r])), await readSettings(work)];
  return [...work.registry.notices.values()].map((type) =>
    shown(asSet(type, settings.get(type.type), work.tenant), own.get(type.type), work),
  );
}

const shown = (type: NoticeAsSent, own: Preference | undefined, { viewer, tenant }: Work) => ({
  object: 'customer_notification_preference',
  id: type.number,
  type: type.type,
  description: wordingFor(sideFor(viewer.mode), type.description, tenant.words),
  sms_enabled: own?.sms_enabled ?? true,
  email_enabled: own?.email_enabled ?? true,
  capabilities: { email: type.email, sms: type.sms },
  toggleability: { email: type.optional, sms: type.optional },
});

const list_preferences = read({
  path: '/customers/{id}/notification_preferences',
  summary: "List a customer's notification preferences",
  who,
  target: customer,
  query: paging(),
  returns: selecting.pageOf(shape),
  run: async ({ work, query, target }) => {
    const all = await shownTo(work, target.id);
    return {
      count: all.length,
      results: all.slice((query.page! - 1) * query.page_size!, query.page! * query.page_size!),
    };
  },
});

const change_preference = action({
  method: 'PATCH',
  path: '/customers/{id}/notification_preferences/{notification_preference_id}',
  summary: "Update a customer's notification preference",
  who,
  target: customer,
  body: allOptional({ sms_enabled: boolean(), email_enabled: boolean() }),
  returns: selecting.answer(shape),
  run: async ({ work, params, body, target }) => {
    await checkActsFor(work, target.id);
    const type = [...work.registry.notices.values()].find(
      (t) => String(t.number) === params.notification_preference_id,
    );
    if (!type) throw notFound();
    for (const name of ['email_enabled', 'sms_enabled'] as const) {
      if (body[name] === false && !type.optional)
        throw invalid(name, "This notice can't be switched off, because people who booked need to know it.");
    }
    const before = (await shownTo(work, target.id)).find((p) => p.id === type.number)!;
    const after = { email: body.email_enabled ?? before.email_enabled, sms: body.sms_enabled ?? before.sms_enabled };
    await keepPreference(work, target.id, { type: type.type, email_enabled: after.email, sms_enabled: after.sms });
    const enabled = { email_enabled: before.email_enabled, sms_enabled: before.sms_enabled };
    if (enabled.email_enabled !== after.email || enabled.sms_enabled !== after.sms) {
      work.record(customerFeed.updated, target.id, { customer: target.id, changed: ['notification_preferences'] });
      work.audit({
        action: 'PATCH /customers/{id}/notification_preferences/{notification_preference_id}',
        object: 'customer',
        objectId: target.id,
        before: { notification_type: type.type, ...enabled },
        after: { notification_type: type.type, email_enabled: after.email, sms_enabled: after.sms },
      });
    }
    return { ...before, email_enabled: after.email, sms_enabled: after.sms };
  },
});

export const preferenceEndpoints = [list_preferences, change_preference];
