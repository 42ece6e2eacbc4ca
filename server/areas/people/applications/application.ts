import { raw, sql } from '../../../kernel/base/db/sql.ts';
import {
  boolean,
  group,
  id,
  instant,
  integer,
  listOf,
  moneyText,
  object,
  oneOf,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { CALLBACK_URL_LENGTH, MAX_CALLBACK_URLS } from './rules/callback-url.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const SCOPES = ['read', 'read_write'] as const;
const DIRECT_AUTH = ['none', 'requested', 'approved', 'refused'] as const;

const nothing = () => raw('NULL::text');
const alive = (t: string) => sql`${raw(t)}.deleted_at IS NULL`;

export const application = resource('application', {
  description:
    'A program that acts for people: with their consent or, if the operator approved it, with their password.',
  fields: {
    id: id(),
    name: text({ max: 255 }),
    domain: text({ max: 255 }).nullable().describe('Domain that people know the application by.'),
    logo: integer().nullable().from(nothing).describe('Always null: pictures of applications are not stored.'),
    scopes: listOf(oneOf(SCOPES))
      .from((t) => sql`to_jsonb(${raw(t)}.scopes)`)
      .describe('Scopes that its tokens can have.'),
    allowed_callback_urls: listOf(text({ max: CALLBACK_URL_LENGTH }), { max: MAX_CALLBACK_URLS }).from(
      (t) => sql`to_jsonb(${raw(t)}.allowed_callback_urls)`,
    ),
    access_tokens: listOf(object({ key: text().optional() }))
      .from(() => raw(`'[]'`))
      .describe('Always empty: tokens are only shown when they are issued.'),
    client_id: text({ max: 100 }),
    client_secret: text({ max: 255 })
      .nullable()
      .from(nothing)
      .describe('Only in the response that creates it, otherwise null. A public application has none.'),
    is_public: boolean().describe(
      'Whether the application can’t keep a secret, like an app on a device or in a browser.',
    ),
    is_assistant: boolean().describe(
      'Whether it is an assistant. Its tokens work at the endpoint for assistants (`/mcp`) only, where a person confirms each change.',
    ),
    daily_message_limit: integer({ min: 0, max: 1_000_000 })
      .nullable()
      .describe(
        'For an assistant: how many messages its changes can send in 24 hours, for each person who connected it. Null: no limit.',
      ),
    daily_amount_limit: moneyText()
      .from((t) => raw(`${t}.daily_amount_limit_minor`))
      .nullable()
      .describe(
        'For an assistant: how much money its changes can move in 24 hours, for each person who connected it. Payments, refunds, credits and charges count. Null: no limit.',
      ),
    is_first_party: boolean()
      .from((t) => raw(`${t}.first_party`))
      .describe("Whether it is the operator's own application. People are not asked for consent."),
    is_installation_wide: boolean()
      .from((t) => raw(`${t}.installation_wide`))
      .describe('Whether it has access to every business of the installation. Set by the operator.'),
    direct_auth: group({
      status: oneOf(DIRECT_AUTH).from((t) => raw(`${t}.direct_auth_status`)),
      use_case: text({ max: 5000 })
        .nullable()
        .from((t) => raw(`${t}.direct_auth_use_case`)),
      reason: text({ max: 1000 })
        .nullable()
        .from((t) => raw(`${t}.direct_auth_reason`))
        .describe('Why direct authentication was refused or withdrawn.'),
      decided_at: instant()
        .nullable()
        .from((t) => raw(`${t}.direct_auth_decided_at`)),
    }).describe('Whether the application may ask people for their password itself.'),
    direct_auth_key: text({ max: 255 })
      .nullable()
      .from(nothing)
      .describe('The direct authentication key. Only in the response that creates it, otherwise null.'),
    created_at: instant(),
  },
  visible: {
    provider: (t, viewer) => may(viewer, 'super_admin') && alive(t),
    customer: false,
    unregistered: false,
    operator: alive,
  },
});
