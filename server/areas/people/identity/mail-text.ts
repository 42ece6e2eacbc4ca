/** The text of a mail about an account: who is addressed, what is said, and where the link leads. */
import { writeMail, type MailParts } from '../../../kernel/mail/layout.ts';
import type { Letterhead } from '../../../kernel/mail/letterhead.ts';

export interface Words {
  readonly subject: string;
  /** first name; empty: nobody is addressed */
  readonly hello: string;
  readonly lines: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly ending: string;
}

export function accountMailParts(head: Letterhead, { subject, hello, lines, button, ending }: Words): MailParts {
  const greeting = hello.trim() === '' ? 'Hello,' : `Hi ${hello.trim()},`;
  const text = [greeting, ...lines, ...(button ? [`${button.label}:\n${button.url}`] : []), ending, head.business]
    .filter(Boolean)
    .join('\n\n');
  return writeMail(head, { subject, text, button: button?.label ?? null, language: 'en' });
}
