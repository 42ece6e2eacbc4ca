/** Pages about what a person signed and agreed to, and the texts of policies. */
import {
  at,
  doneNotice,
  formCard,
  ownPage,
  section,
  wordCard,
  type AgreementsWritten as Written,
  type At,
  type Person,
} from '../../frame/index.ts';
import { dayIn } from '../../../../kernel/base/languages/times.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { check, hidden, type Draft } from '../../../../kernel/pages/form.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

interface OfPerson {
  readonly person: Person;
  /** waivers that are unsigned, with the page to sign */
  readonly open: readonly { readonly name: string; readonly path: string }[];
  readonly signed: readonly {
    readonly id: number;
    readonly name: string;
    readonly by: string;
    readonly at: number;
  }[];
  readonly agreed: readonly { readonly version: number; readonly name: string; readonly at: number }[];
}

export interface AgreementsView {
  readonly people: readonly OfPerson[];
}

export function agreementsPage(visit: At, written: Written, { people }: AgreementsView): Shown {
  const { say } = written;
  const isEmpty = people.every(({ open, signed, agreed }) => open.length + signed.length + agreed.length === 0);
  const { name } = visit.site;
  const body = html`${doneNotice(visit)}
<div class="page-title"><h1>${say('title')}</h1><p>${say(isEmpty ? 'nothing' : 'text', { name })}</p></div>
${people.map((one) => personCard(visit, written, one))}`;
  return ownPage(visit, say('title'), body, { part: 'settings' });
}

const row = (name: string, about: string, href: string, label: string) =>
  html`<li><div><strong>${name}</strong><p class="soft">${about}</p></div><a href="${href}" aria-label="${label}: ${name}">${label}</a></li>`;

function personCard({ site }: At, { say, reader }: Written, { person, open, signed, agreed }: OfPerson): Html | null {
  if (open.length + signed.length + agreed.length === 0) return null;
  const day = (when: number): string => dayIn(reader.locale, when, site.tenant.zone);
  return section(
    `person-${person.id}`,
    person.name ?? say('you'),
    html`<ul class="rows">${open.map(({ name, path }) => row(name, say('unsigned'), path, say('sign')))}
${signed.map(({ id, name, by, at: when }) =>
  row(name, say('signed', { day: day(when), by }), at(site, `profile/agreements/${id}`), say('pdf')),
)}
${agreed.map(({ version, name, at: when }) =>
  row(name, say('agreed', { day: day(when) }), at(site, `policies/${version}`), say('read')),
)}</ul>`,
  );
}

export interface AskedPolicy {
  readonly name: string;
  readonly version: number;
}

export const agreeFields = (written: Written, policies: readonly AskedPolicy[]) => ({
  return_to: hidden(2000),
  agree: check(written.say('agree', { names: policies.map(({ name }) => name).join(', ') })),
});

/** Renders links to the texts of policies. */
export const policyLinks = ({ site }: Pick<At, 'site'>, policies: readonly AskedPolicy[]): Html =>
  html`<ul class="plain">${policies.map(
    ({ name, version }) => html`<li><a href="${at(site, `policies/${version}`)}" target="_blank">${name}</a></li>`,
  )}</ul>`;

/** Renders what new customers are asked to agree to. */
export function agreePage(
  visit: At,
  written: Written,
  policies: readonly AskedPolicy[],
  { draft, back }: { readonly draft: Draft | undefined; readonly back: string },
): Shown {
  const { say } = written;
  return formCard(visit, say('agree.title'), {
    lead: say('agree.lead', { name: visit.site.name }),
    above: policyLinks(visit, policies),
    fields: agreeFields(written, policies),
    draft: { errors: {}, ...draft, kept: { ...draft?.kept, return_to: back } },
    button: say('agree.button'),
    own: true,
  });
}

export const policyPage = (
  visit: At,
  { say, reader }: Written,
  { name, text, since }: { readonly name: string; readonly text: string; readonly since: number },
): Shown =>
  wordCard(
    visit,
    name,
    html`<p class="soft">${say('since', { day: dayIn(reader.locale, since, visit.site.tenant.zone) })}</p>
${text.split(/\n{2,}/).map((part) => html`<p class="said" dir="auto">${part}</p>`)}`,
  );
