import { answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { provider, readLetterhead } from '../../platform/providers/index.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';
import { writeMail } from '../../../kernel/base/mail/layout.ts';

/** The parts of an email that programs replace. */
const [SUBJECT, CONTENT] = ['{{subject}}', '{{content}}'];

export const emailSettings = read({
  path: '/providers/{id}/email_settings',
  summary: 'Get the layout of emails',
  description: `The HTML of every email of the business, with its name, icon, color and address. An email has its subject in place of \`${SUBJECT}\`, and its text in place of \`${CONTENT}\`.`,
  who: staffWith('super_admin', 'developer'),
  target: provider,
  returns: answer({ base_template: text({ max: 200_000 }) }),
  run: async ({ work }) => {
    const head = await readLetterhead(work);
    const mail = { subject: SUBJECT, text: CONTENT, html: CONTENT, language: head.reader.language };
    return { base_template: writeMail(head, mail).html };
  },
});
