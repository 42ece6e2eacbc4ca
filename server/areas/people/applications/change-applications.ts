import { changes } from '../../../kernel/api/resource-changes.ts';
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { application, SCOPES } from './application.ts';
import { boolean, id, integer, listOf, moneyText, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { callbackUrlProblem, CALLBACK_URL_LENGTH, MAX_CALLBACK_URLS } from './rules/callback-url.ts';
import { changeApplication, createApplication, deleteApplication, rotateSecret } from './writes.ts';
import { changedNames } from '../../../kernel/work/unit/row.ts';
import { invalid, Issues, Problem } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = application.fields;

const body = {
  name: f.name,
  domain: text({ max: 255 }),
  logo: id().nullable().optional().describe('Must be null: pictures are not stored.'),
  scopes: listOf(oneOf(SCOPES), { min: 1, max: SCOPES.length }),
  allowed_callback_urls: listOf(text({ max: CALLBACK_URL_LENGTH }), { max: MAX_CALLBACK_URLS })
    .optional()
    .describe('URLs that people can be sent back to. They must match exactly.'),
  is_public: boolean()
    .optional()
    .describe(
      'Whether the application can’t keep a secret, like an app on a device or in a browser. It gets no secret then.',
    ),
  is_assistant: f.is_assistant.optional(),
  daily_message_limit: f.daily_message_limit.optional(),
  daily_amount_limit: moneyText().nullable().optional().describe(f.daily_amount_limit.spec.description!),
};

const applicationChanges = changes(application, {
  path: '/applications',
  noun: 'application',
  who: staffWith('super_admin'),
  body,
  create: {
    description: 'The response contains the `client_secret`, only this once.',
    run: ({ work, body: { logo, daily_amount_limit, ...values } }) => {
      checkLogo(logo);
      checkCallbackUrls(values.allowed_callback_urls, values.is_public ?? false);
      return createApplication(work, {
        ...values,
        daily_amount_limit_minor: readLimit(work, daily_amount_limit),
        scopes: ordered(values.scopes),
      });
    },
  },
  update: {
    description:
      'An application that becomes public loses its secret. If it is no longer public, create a secret with `rotate_secret`. If it becomes an assistant, its tokens for the interface end immediately.',
    run: async ({ work, body: { logo, daily_amount_limit, ...values }, target }) => {
      checkLogo(logo);
      const isPublic = values.is_public ?? target.is_public;
      // Callback URLs that were allowed for a public application may not be allowed for one with a secret.
      if (values.allowed_callback_urls || isPublic !== target.is_public)
        checkCallbackUrls(values.allowed_callback_urls ?? target.allowed_callback_urls, isPublic);
      if (values.is_assistant && target.direct_auth_status !== 'none')
        throw invalid('is_assistant', 'An application that asked to take passwords can’t become an assistant.');
      const columns = {
        ...values,
        daily_amount_limit_minor: readLimit(work, daily_amount_limit),
        scopes: values.scopes && ordered(values.scopes),
      };
      await changeApplication(work, target.id, columns, changedNames({ ...values, daily_amount_limit }));
    },
  },
  remove: {
    description: 'All its tokens end immediately.',
    run: ({ work, target }) => deleteApplication(work, target.id),
  },
});

export const overlap_hours = integer({ min: 0, max: 168 })
  .default(24)
  .describe('For how many hours the previous secret still works.');

const rotate_secret = action({
  path: '/applications/{id}/rotate_secret',
  summary: 'Rotate the client secret of an application',
  description:
    'The response contains it, only this once. The previous one still works for `overlap_hours`. Older ones end.',
  who: staffWith('super_admin'),
  target: application,
  body: { overlap_hours },
  returns: one(application),
  run: async ({ work, body, target }) => {
    if (target.is_public)
      throw new Problem('conflict', 'A public application has no secret. Set is_public to false first.');
    await rotateSecret(work, target.id, 'client', body.overlap_hours);
    return target.id;
  },
});

function checkLogo(logo: number | null | undefined): void {
  if (logo !== null && logo !== undefined)
    throw invalid('logo', 'Pictures are not stored. Send null, or leave it out.');
}

function checkCallbackUrls(urls: readonly string[] | undefined, isPublic: boolean): void {
  const issues = new Issues();
  (urls ?? []).forEach((url, i) => {
    const problem =
      callbackUrlProblem(url, isPublic) ?? (urls!.indexOf(url) < i ? 'This URL is in the list twice.' : null);
    if (problem) issues.add(`allowed_callback_urls.${i}`, problem);
  });
  issues.throwIfAny();
}

/** Returns a limit in minor units; undefined: it was not sent. @throws Problem for an amount with too many decimals */
const readLimit = ({ tenant }: Work, sent: string | null | undefined): number | null | undefined =>
  typeof sent === 'string' ? minorOf('daily_amount_limit', sent, tenant.currency) : sent;

/** Returns each scope once, in the order of declaration. */
const ordered = (scopes: readonly string[]) => SCOPES.filter((scope) => scopes.includes(scope));

export const changeApplications = [...applicationChanges, rotate_secret];
