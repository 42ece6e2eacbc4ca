/** The codes that people show at the door, each with a button for a new one. */
import { at, buttonForm, codeOwnerFields, codesCard, doneNotice, ownPage, writtenFor } from '../../frame/index.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import type { At, Person } from '../../frame/index.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

export interface EntryCodeView {
  readonly people: readonly Person[];
  /** by customer */
  readonly codes: ReadonlyMap<number, string>;
}

export function entryCodePage(visit: At, { people, codes }: EntryCodeView): Shown {
  const { say } = writtenFor(visit);
  const form = ({ id }: Person) =>
    buttonForm({
      fields: codeOwnerFields,
      kept: { customer: String(id) },
      action: at(visit.site, 'profile/code'),
      button: say('code.reset'),
      tone: 'quiet',
      token: visit.token,
      id: `code-${id}-`,
    });
  const body = html`${doneNotice(visit)}
<div class="page-title"><h1>${say('code.reset')}</h1><p>${say('code.reset.lead')}</p></div>
${codesCard(people, codes, say, form)}`;
  return ownPage(visit, say('code.reset'), body, { part: 'bookings' });
}
