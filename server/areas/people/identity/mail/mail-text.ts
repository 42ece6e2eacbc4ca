/** The text of an email about an account: the greeting, the content, and the link. */
import { ACCOUNT_MAILS, type SayMail } from './messages.ts';
import { writeMail, type MailParts } from '../../../../kernel/base/mail/layout.ts';
import { sayableName } from '../../../../kernel/base/values/person-name.ts';
import type { Letterhead } from '../../../../kernel/base/mail/letterhead.ts';

interface MailTexts {
  readonly subject: string;
  /** first name; empty: no greeting by name */
  readonly hello: string;
  readonly lines: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly ending: string;
}

/** Writes the text of an email with the messages of its language. */
export type WriteTexts = (say: SayMail, business: string) => MailTexts;

/**
 * Returns the parts of the email in the language of the business. `linksTo`: the address of the installation. Only
 * links to that address are clickable: names of people and businesses may contain any text.
 */
export function accountMailParts(head: Letterhead, write: WriteTexts, { linksTo }: { linksTo: string }): MailParts {
  const { reader } = head;
  const say = ACCOUNT_MAILS.for(reader, head.words);
  const { subject, hello, lines, button, ending } = write(say, head.business);
  const name = sayableName(hello).trim();
  const text = [
    name === '' ? say('hello') : say('hello_name', { name }),
    ...lines,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ending,
    head.business,
  ]
    .filter(Boolean)
    .join('\n\n');
  return writeMail(head, { subject, text, button: button?.label ?? null, language: reader.language, linksTo });
}
