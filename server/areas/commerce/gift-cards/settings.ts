/**
 * Gift card settings of a business: who sells them, their values, their validity, and the text they are delivered with.
 */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { boolean, id, integer, listOf, moneyText, object, text } from '../../../kernel/base/fields/kinds.ts';
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { imageRefs } from '../../platform/images/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Issues } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { providerFeed } from '../../platform/providers/index.ts';
import { OURS, TEMPLATE_FIELDS, templateIn, type Template } from './delivery-notice.ts';
import { templateProblem } from '../../../kernel/base/values/template.ts';
import type { Offered } from './rules/amount.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface Settings extends Offered {
  readonly soldByStaff: boolean;
  readonly soldToCustomers: boolean;
  readonly expires: boolean;
  readonly expiresAfterDays: number;
  readonly template: Template;
  /** ids, in display order */
  readonly images: readonly number[];
}

const DEFAULTS: Settings = {
  soldByStaff: false,
  soldToCustomers: false,
  amounts: [],
  range: null,
  expires: false,
  expiresAfterDays: 365,
  template: OURS,
  images: [],
};

export async function settingsOf({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>): Promise<Settings> {
  const row = await tx.one<Record<string, any>>(
    sql`SELECT sold_by_staff, sold_to_customers, amounts, smallest_amount, largest_amount, expires, expires_after_days,
      subject, body,
          ARRAY(SELECT c.image_id FROM gift_card_image_choice c WHERE c.provider_id = s.provider_id
            ORDER BY c.position) AS images
        FROM gift_card_settings s WHERE provider_id = ${providerId}`,
  );
  if (!row) return DEFAULTS;
  return {
    soldByStaff: row.sold_by_staff,
    soldToCustomers: row.sold_to_customers,
    amounts: row.amounts.map(Number),
    range: row.smallest_amount === null ? null : { smallest: row.smallest_amount, largest: row.largest_amount },
    expires: row.expires,
    expiresAfterDays: row.expires_after_days,
    template: row.subject === null ? OURS : { subject: row.subject, body: row.body },
    images: row.images,
  };
}

/** Returns the values that customers can buy themselves, in minor units; null if gift cards aren't sold to them. */
export async function giftCardsForSale(work: Pick<Work, 'tx' | 'providerId'>): Promise<Offered | null> {
  const { soldToCustomers, amounts, range } = await settingsOf(work);
  return soldToCustomers && (amounts.length > 0 || range !== null) ? { amounts, range } : null;
}

const range = () => object({ smallest: moneyText(), largest: moneyText() });

const shape = {
  is_enabled_provider_site: boolean().describe('Staff can sell gift cards.'),
  is_enabled_customer_site: boolean().describe('Customers can buy gift cards themselves.'),
  amount_choices: listOf(moneyText(), { max: 50 }).describe(
    'Values that a gift card can have, for example `["25.00", "50.00"]`.',
  ),
  amount_range: range()
    .nullable()
    .describe(
      'Any amount from the smallest to the largest can be chosen too. Null if only those of `amount_choices` can.',
    ),
  do_gift_cards_expire: boolean().describe(
    'Whether gift cards that are sold from now on expire. Many countries limit this by law, or forbid it.',
  ),
  redemption_expiration_days: integer({ min: 1, max: 36_500 }).describe(
    'Number of days after delivery during which a gift card can be redeemed, if gift cards expire.',
  ),
  redemption_email_template: object({ subject: text({ max: 300 }), body: text({ max: 20_000 }) }).describe(
    'The email that delivers a gift card. It can contain merge fields; `GET /gift_cards/config/metadata` lists them. The body must contain `{{gift_card.code}}`.',
  ),
};

const choices = 'The pictures that buyers can choose from, in the order in which they are shown: ids of images.';

const shown = (work: Work, settings: Settings) => {
  const say = (minor: number) => formatDecimal({ minor, currency: work.tenant.currency });
  const { range: any } = settings;
  const { subject, body } = templateIn(work.tenant, settings.template);
  return {
    id: work.providerId,
    is_enabled_provider_site: settings.soldByStaff,
    is_enabled_customer_site: settings.soldToCustomers,
    amount_choices: settings.amounts.map(say),
    amount_range: any && { smallest: say(any.smallest), largest: say(any.largest) },
    do_gift_cards_expire: settings.expires,
    redemption_expiration_days: settings.expiresAfterDays,
    redemption_email_template: { subject, body },
    image_choices: settings.images,
  };
};

interface Sent {
  readonly is_enabled_provider_site?: boolean;
  readonly is_enabled_customer_site?: boolean;
  readonly amount_choices?: readonly string[];
  readonly amount_range?: { readonly smallest: string; readonly largest: string } | null;
  readonly do_gift_cards_expire?: boolean;
  readonly redemption_expiration_days?: number;
  readonly redemption_email_template?: { readonly subject: string; readonly body: string };
  readonly image_choices?: readonly number[];
}

function changedBy(work: Work, before: Settings, sent: Sent): Settings {
  const { amount_choices: amounts, amount_range: any, redemption_email_template: template } = sent;
  if (template) checkTemplate(template);
  return {
    soldByStaff: sent.is_enabled_provider_site ?? before.soldByStaff,
    soldToCustomers: sent.is_enabled_customer_site ?? before.soldToCustomers,
    amounts: amounts?.map((one, n) => worth(work, `amount_choices.${n}`, one)) ?? before.amounts,
    range: any === undefined ? before.range : any && rangeOf(work, any),
    expires: sent.do_gift_cards_expire ?? before.expires,
    expiresAfterDays: sent.redemption_expiration_days ?? before.expiresAfterDays,
    template: template ? ownTemplate(work, template) : before.template,
    images: sent.image_choices ? [...new Set(sent.image_choices)] : before.images,
  };
}

/** Returns the template to store: our own template that is sent back unchanged stays our own. */
function ownTemplate(work: Work, sent: { readonly subject: string; readonly body: string }): Template {
  const ours = templateIn(work.tenant, OURS);
  return sent.subject === ours.subject && sent.body === ours.body ? OURS : sent;
}

function worth(work: Work, name: string, sent: string): number {
  const amount = minorOf(name, sent, work.tenant.currency);
  if (amount === 0) throw invalid(name, 'Must be more than 0.');
  return amount;
}

function rangeOf(work: Work, { smallest, largest }: { smallest: string; largest: string }) {
  const range = {
    smallest: worth(work, 'amount_range.smallest', smallest),
    largest: worth(work, 'amount_range.largest', largest),
  };
  if (range.largest < range.smallest) throw invalid('amount_range.largest', 'Must be the smallest amount or more.');
  return range;
}

const CODE = /\{\{\s*gift_card\.code\s*(?:\|[^{}|]*)?\}\}/;

/** Requires the code: without it, nobody could redeem the card. */
function checkTemplate(template: { readonly subject: string; readonly body: string }): void {
  const issues = new Issues();
  for (const part of ['subject', 'body'] as const) {
    const problem = templateProblem(template[part], TEMPLATE_FIELDS);
    if (problem) issues.add(`redemption_email_template.${part}`, problem);
  }
  if (!CODE.test(template.body))
    issues.add('redemption_email_template.body', 'Must contain {{gift_card.code}}: the recipient needs it.');
  if (CODE.test(template.subject))
    issues.add('redemption_email_template.subject', 'Must not contain the code: subjects are shown on locked phones.');
  issues.throwIfAny();
}

const who = staffWith('super_admin', 'store', 'pos');
const path = '/gift_cards/config';
const returns = answer({ id: id(), ...shape, image_choices: listOf(id()).describe(choices) });

export const settingsEndpoints = [
  read({
    path,
    summary: 'Get the gift card settings',
    who,
    returns,
    run: async ({ work }) => shown(work, await settingsOf(work)),
  }),
  action({
    method: 'PATCH',
    path,
    summary: 'Update the gift card settings',
    description: 'Applies to gift cards that are sold from now on. What was agreed for others stays.',
    who,
    body: { ...allOptional(shape), image_choices: imageRefs(50).optional() },
    returns,
    run: async ({ work, body }) => {
      const before = await settingsOf(work);
      const after = changedBy(work, before, body);
      const [was, is] = [shown(work, before), shown(work, after)];
      if (JSON.stringify(was) === JSON.stringify(is)) return is;
      await keep(work, after);
      work.audit({ action: `PATCH ${path}`, object: 'provider', objectId: work.providerId, before: was, after: is });
      work.record(providerFeed.updated, work.providerId, { provider: work.providerId, changed: ['gift_cards'] });
      return is;
    },
  }),
  read({
    path: `${path}/metadata`,
    summary: 'Get the merge fields of the gift card email',
    who,
    returns: answer({
      template_variables: listOf(object({ name: text(), description: text(), sample_value: text({ blank: true }) })),
      multiple_messages_allowed: boolean().describe('Always false: there is one email.'),
    }),
    run: async () => ({
      template_variables: TEMPLATE_FIELDS.map(({ name, description, sample }) => ({
        name,
        description,
        sample_value: String(sample),
      })),
      multiple_messages_allowed: false,
    }),
  }),
];

async function keep(work: Work, { template, range: any, images, ...is }: Settings): Promise<void> {
  const now = instant(work.now);
  const own = template === OURS ? null : (template as { readonly subject: string; readonly body: string });
  await work.tx.run(sql`
    INSERT INTO gift_card_settings (provider_id, sold_by_staff, sold_to_customers, amounts, smallest_amount,
      largest_amount,
      expires, expires_after_days, subject, body, created_at, updated_at)
    VALUES (${work.providerId}, ${is.soldByStaff}, ${is.soldToCustomers}, ${is.amounts}::bigint[],
      ${any?.smallest ?? null},
      ${any?.largest ?? null}, ${is.expires}, ${is.expiresAfterDays}, ${own?.subject ?? null}, ${own?.body ?? null},
      ${now}, ${now})
    ON CONFLICT (provider_id) DO UPDATE SET sold_by_staff = excluded.sold_by_staff,
      sold_to_customers = excluded.sold_to_customers,
      amounts = excluded.amounts, smallest_amount = excluded.smallest_amount, largest_amount = excluded.largest_amount,
      expires = excluded.expires, expires_after_days = excluded.expires_after_days, subject = excluded.subject,
      body = excluded.body, updated_at = excluded.updated_at`);
  await work.tx.all([
    sql`DELETE FROM gift_card_image_choice WHERE provider_id = ${work.providerId}
      AND image_id <> ALL(${[...images]}::bigint[])`,
    sql`INSERT INTO gift_card_image_choice (provider_id, image_id, position)
        SELECT ${work.providerId}, image, nth FROM unnest(${[...images]}::bigint[]) WITH ORDINALITY AS n (image, nth)
        ON CONFLICT (provider_id, image_id) DO UPDATE SET position = excluded.position`,
  ]);
}
