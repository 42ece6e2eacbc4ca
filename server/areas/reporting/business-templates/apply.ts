/** Creates what a template describes. Whatever the business already has by the same name stays as it is. */
import { createCategory, createOfferingType } from '../../scheduling/offerings/index.ts';
import { createWhole } from '../../memberships/memberships/index.ts';
import { createWorkflow } from '../../communication/crm/index.ts';
import { lockBusiness } from '../../platform/providers/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { templateOf, textsIn, type Prices, type TemplateName } from './template.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

export interface Applied {
  readonly template: TemplateName;
  readonly language: Language;
  readonly prices: Prices;
}

export interface Created {
  readonly offering_types: readonly number[];
  readonly memberships: readonly number[];
  readonly crm_workflows: readonly number[];
  /** names that the business already had */
  readonly existing: readonly string[];
}

type Table = 'offering_type' | 'offering_type_category' | 'membership' | 'workflow';

/** Returns the ids by lowercase name. */
async function namesIn({ tx, providerId }: Work, table: Table): Promise<ReadonlyMap<string, number>> {
  const found = {
    offering_type: sql`SELECT id, lower(name) AS name FROM offering_type WHERE provider_id = ${providerId}`,
    offering_type_category: sql`SELECT id, lower(name) AS name FROM offering_type_category
      WHERE provider_id = ${providerId}`,
    membership: sql`SELECT id, lower(name) AS name FROM membership WHERE provider_id = ${providerId}`,
    workflow: sql`SELECT id, lower(name) AS name FROM workflow
      WHERE provider_id = ${providerId} AND name IS NOT NULL AND deleted_at IS NULL`,
  }[table];
  const rows = await tx.rows<{ id: number; name: string }>(found);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

const SOLD = { visible_to_customers: true, purchasable_only_by_provider: false };

const visits = (max_uses: number) => ({
  types: ['event' as const],
  period_limits: [
    { max_uses, period: 'total' as const, type: 'limited' as const, roll_over: 0, offering_type_limits: [] },
  ],
});

export async function applyTemplate(work: Work, { template, language, prices }: Applied): Promise<Created> {
  const texts = textsIn(language);
  const { offerings, ...rules } = templateOf(template);
  // Two calls at the same time create everything once.
  await lockBusiness(work);
  const existing: string[] = [];
  /** Creates what has a name that is still free. */
  const each = async (
    table: Table,
    wanted: readonly { readonly name: string; readonly create: () => Promise<number> }[],
  ): Promise<number[]> => {
    const had = await namesIn(work, table);
    const made: number[] = [];
    for (const { name, create } of wanted)
      if (had.has(name.toLowerCase())) existing.push(name);
      else made.push(await create());
    return made;
  };
  const group = texts[`${template}.category`];
  const categories = await namesIn(work, 'offering_type_category');
  let category = categories.get(group.toLowerCase());
  const offering_types = await each(
    'offering_type',
    offerings.map(({ text, color, price }) => ({
      name: texts[text],
      create: async () =>
        createOfferingType(work, {
          name: texts[text],
          description: texts[`${text}.about`],
          category: (category ??= await createCategory(work, { name: group })),
          background_color: color,
          allows_dropins: price !== undefined,
          dropin_price: price === undefined ? '0' : prices[price],
          registrations_open_interval: rules.booking_opens_days * DAY_MINUTES,
          cancellation_notice_interval: rules.cancellation_notice_hours * HOUR_MINUTES,
          waitlist_max: rules.waitlist_max,
        }),
    })),
  );
  // Classes that the business already has stay free, or as they are: only those of the template need one of these.
  const ours = await namesIn(work, 'offering_type');
  const registration_options = offerings.map(({ text }) => ours.get(texts[text].toLowerCase())!);
  const named = (text: string) => ({
    ...SOLD,
    registration_options,
    name: texts[text],
    description: texts[`${text}.about`],
    category_name: texts.memberships,
  });
  const memberships = await each('membership', [
    {
      name: texts.trial,
      create: () =>
        createWhole(work, {
          ...named('trial'),
          type: 'pack',
          one_time_fee: prices.trial,
          duration: 3,
          duration_unit: 'weeks',
          new_customers_only: true,
          allow_repeat_purchases: false,
          allotment: visits(3),
        }),
    },
    {
      name: texts.pack,
      create: () =>
        createWhole(work, {
          ...named('pack'),
          type: 'pack',
          one_time_fee: prices.pack,
          duration: 6,
          duration_unit: 'months',
          new_customers_only: false,
          allow_repeat_purchases: true,
          allotment: visits(10),
        }),
    },
    {
      name: texts.month,
      create: () =>
        createWhole(work, {
          ...named('month'),
          type: 'recurring_plan',
          new_customers_only: false,
          allow_repeat_purchases: true,
          allotment: { types: ['event'], period_limits: [] },
          payment_plans: [
            {
              price: prices.month,
              billing_period_length: 1,
              billing_period_unit: 'months',
              committed_billing_periods: 1,
              cancellation_notice_days: 14,
              commitment_expiration_scheme: 'continue_by_period',
            },
          ],
        }),
    },
  ]);
  // Switched off: the business reads what they say before they send anything.
  const mail = (text: 'welcome' | 'away') => ({
    name: texts[text],
    action_type: 'email_customer' as const,
    email_template: { subject: texts[`${text}.subject`], body: texts[`${text}.body`] },
  });
  const crm_workflows = await each('workflow', [
    {
      name: texts.welcome,
      create: () =>
        createWorkflow(work, {
          name: texts.welcome,
          trigger: 'customer.created',
          is_enabled: false,
          actions: [{ ...mail('welcome'), purpose: 'transactional', conditions: [] }],
        }),
    },
    {
      name: texts.away,
      create: () =>
        createWorkflow(work, {
          name: texts.away,
          trigger: 'customer.inactive',
          is_enabled: false,
          actions: [
            {
              ...mail('away'),
              conditions: [
                { condition_type: 'days_since_last_visit', operator: 'equals', days: 14 },
                { condition_type: 'upcoming_booking', operator: 'equals', value: false },
              ],
            },
          ],
        }),
    },
  ]);
  return { offering_types, memberships, crm_workflows, existing };
}
