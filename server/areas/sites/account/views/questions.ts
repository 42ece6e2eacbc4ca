/** Pages with questions of the business. */
import {
  at,
  doneNotice,
  formCard,
  ownPage,
  questionFields,
  section,
  withReturn,
  type At,
  type Person,
  type Question,
  type questionsWritten,
} from '../../frame/index.ts';
import { dayIn } from '../../../../kernel/base/languages/times.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { hidden, type Draft } from '../../../../kernel/pages/form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

type Written = ReturnType<typeof questionsWritten>;

export interface FormView {
  /** null: the questions for new customers */
  readonly name: string | null;
  readonly person: Person;
  readonly questions: readonly Question[];
  /** answers that were given before */
  readonly kept: Readonly<Record<string, string>>;
}

export function formPage(visit: At, { say }: Written, { name, person, questions }: FormView, draft: Draft): Shown {
  const { site } = visit;
  const lead =
    name === null
      ? say('new.lead', { name: site.name })
      : person.name === null
        ? say('form.lead', { name: site.name })
        : say('form.lead_for', { name: site.name, person: person.name });
  const back = draft.kept.return_to;
  return formCard(visit, name ?? say('new.title'), {
    lead,
    fields: { return_to: hidden(2000), ...questionFields(questions, say) },
    draft,
    button: say('form.save'),
    own: true,
    turn: back ? html`<p><a href="${back}">${say('form.later')}</a></p>` : null,
  });
}

export interface AboutPerson extends Omit<FormView, 'name'> {
  /** forms that were answered */
  readonly forms: readonly { readonly id: number; readonly name: string; readonly answeredAt: number }[];
}

/** Renders the answers of each person, to be changed, and the forms that they answered. */
export function aboutPage(
  visit: At,
  written: Written,
  about: readonly AboutPerson[],
  sent: { readonly of: number; readonly draft: Draft } | null,
): Shown {
  const { say } = written;
  const wrong = about.find(({ person }) => person.id === sent?.of);
  const summary = wrong && errorSummary(questionFields(wrong.questions, say), sent!.draft, idOf(wrong), say);
  const isEmpty = about.every(({ questions, forms }) => questions.length + forms.length === 0);
  const body = html`${summary ?? doneNotice(visit)}
<div class="page-title"><h1>${say('about.title')}</h1><p>${
    isEmpty ? say('about.nothing', { name: visit.site.name }) : say('about.text', { name: visit.site.name })
  }</p></div>
${about.map((one) => personCard(visit, written, one, sent?.of === one.person.id ? sent.draft : null))}`;
  return ownPage(visit, say('about.title'), body, {
    part: 'settings',
    status: sent ? (sent.draft.status ?? 422) : 200,
  });
}

const idOf = ({ person }: AboutPerson): string => `about-${person.id}-`;

function personCard(visit: At, written: Written, one: AboutPerson, draft: Draft | null): Html | null {
  const { say, reader } = written;
  const { person, questions, kept, forms } = one;
  if (questions.length + forms.length === 0) return null;
  const { site, token } = visit;
  const answers =
    questions.length === 0
      ? null
      : showForm({
          fields: { customer: hidden(20), return_to: hidden(2000), ...questionFields(questions, say) },
          draft: {
            ...(draft ?? { errors: {} }),
            kept: { ...(draft?.kept ?? kept), customer: String(person.id) },
          },
          action: at(site, 'profile/about'),
          button: say('about.save'),
          token,
          id: idOf(one),
          say,
        });
  const answered =
    forms.length === 0
      ? null
      : html`<h3>${say('about.forms')}</h3><ul class="rows">${forms.map(
          ({ id, name, answeredAt }) =>
            html`<li><div><strong>${name}</strong><p class="soft">${say('about.answered', {
              day: dayIn(reader.locale, answeredAt, site.tenant.zone),
            })}</p></div><a href="${withReturn(at(site, `forms/${id}/${person.id}`), at(site, 'profile/about'))}">${say(
              'about.again',
            )}</a></li>`,
        )}</ul>`;
  return section(`about-${person.id}`, person.name ?? say('about.you'), html`${answers}${answered}`);
}
