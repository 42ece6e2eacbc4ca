/** Previews a notice before anybody gets it: on the screen, in any language, and in the mailbox of a colleague. */
import { action, answer } from '../../../kernel/api/endpoint.ts';
import { allOptional } from '../../../kernel/base/fields/field.ts';
import { asSet, mailText } from './write.ts';
import { sampleIn } from './samples.ts';
import { checkTemplates, named, path, settingOf, template, who } from './templates.ts';
import { isLanguage, LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { IDENTITY_PROBLEMS } from '../../people/identity/index.ts';
import { readLetterhead } from '../../platform/providers/index.ts';
import { renderTemplate, sampleValues } from '../../../kernel/base/values/template.ts';
import { sendTestMail, testMailShape } from '../messages/index.ts';
import { takesPasses } from '../../../kernel/base/passes/index.ts';
import { writeMail } from '../../../kernel/base/mail/layout.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const language = oneOf(Object.keys(LANGUAGES)).describe(
  'The language of the reader. Texts that the business wrote itself stay as they are. If left out, the language of the business.',
);

/** The links of the samples. */
const SAMPLE_LINKS = 'https://example.com/';

const wanted = { ...template, language };

interface Wanted {
  readonly subject?: string;
  readonly body?: string;
  readonly sms_body?: string;
  readonly language?: string;
}

/** Returns the notice with sample values, as it would be sent with these texts. */
async function sampleOf(work: Work, params: Record<string, string>, body: Wanted) {
  const type = named(work, params);
  checkTemplates(type, body);
  const { tenant } = work;
  const { language: asked = '' } = body;
  const reading = isLanguage(asked) ? { language: asked, locale: asked } : undefined;
  const now = asSet(type, await settingOf(work, type), tenant, reading);
  const samples = Object.fromEntries(
    Object.entries(sampleValues(type.fields, tenant.words)).map(([name, sample]) => [
      name,
      sampleIn(now.reading, sample, tenant.currency),
    ]),
  );
  const values = takesPasses(work.installation.wallets, work.realNow) ? samples : { ...samples, wallet: null };
  return {
    subject: renderTemplate(body.subject ?? now.subject, values, { as: 'subject' }),
    text: mailText(body.body ?? now.body, values),
    sms: renderTemplate(body.sms_body ?? now.smsBody, values, { as: 'subject' }),
    ...(now.button !== null && { button: now.button }),
    language: now.language,
  };
}

const preview = action({
  path: `${path}/preview`,
  summary: 'Preview a notification type with sample values',
  description:
    'Returns the message as it is sent, with the name, the color and the address of the business. Texts in the request are used instead of the saved ones. Nothing is saved or sent.',
  who,
  silent: 'it shows how a text would read, and saves nothing',
  body: allOptional(wanted),
  returns: answer({
    subject: text({ blank: true }),
    text: text({ blank: true }),
    html: text({ blank: true, max: 200_000 }),
    sms: text({ blank: true }),
  }),
  run: async ({ work, params, body }) => {
    const { sms, ...mail } = await sampleOf(work, params, body);
    return { ...writeMail(await readLetterhead(work), { ...mail, ownLinks: SAMPLE_LINKS }), sms };
  },
});

const send_test_email = action({
  path: `${path}/send_test_email`,
  summary: 'Send a test of a notification type to a staff member',
  description:
    'Merge fields are filled with samples. Texts in the request are used instead of the saved ones. Counts as one email of the quota.',
  who,
  silent: 'a test is a message of the ledger alone: nothing of the business changes by it',
  body: {
    ...allOptional(wanted),
    staff: ref('staff').optional().describe('Recipient. If left out, the caller.'),
  },
  returns: answer(testMailShape),
  problems: [IDENTITY_PROBLEMS.quota_exceeded],
  run: async ({ work, params, body: { staff, ...body } }) => {
    const { sms: _sms, ...mail } = await sampleOf(work, params, body);
    return sendTestMail(work, {
      kind: 'notice_test',
      path: `${path}/send_test_email`,
      mail,
      ...(staff !== undefined && { staff }),
    });
  },
});

export const previewEndpoints = [preview, send_test_email];
