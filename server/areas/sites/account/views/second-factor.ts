/** The pages that set up, change and switch off the two-step log-in. */
import {
  at,
  codeFields,
  codesFields,
  formCard,
  offFields,
  ownPage,
  proofFields,
  section,
  wordCard,
  writtenFor,
  type Business,
} from '../../frame/index.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** Renders the setup: the secret as a QR code and as text, and a field for the first code from the app. */
export function enrolPage(
  visit: At,
  { qr, secret, uri }: { qr: string; secret: string; uri: string },
  draft: Draft = EMPTY,
): Shown {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('second.set_up'), {
    lead: say('second.scan'),
    above: html`<img class="qr" alt="${say('second.qr')}" width="208" height="208" src="data:image/svg+xml;base64,${Buffer.from(qr).toString('base64')}">
<p class="on-phone"><a href="${uri}">${say('second.open')}</a></p>
<details><summary>${say('second.cannot')}</summary><p>${say('second.type')} <code>${secret.replaceAll(
      /.{4}(?=.)/g,
      '$& ',
    )}</code></p></details>`,
    fields: codeFields(say),
    draft,
    action: at(site, 'profile/second-factor/confirm'),
    button: say('second.turn_on'),
    own: true,
    turn: html`<p><a href="${at(site, 'profile/settings')}">${say('second.not_now')}</a></p>`,
  });
}

export const recoveryCodesPage = (visit: At, codes: readonly string[]): Shown => {
  const { say } = writtenFor(visit);
  return wordCard(
    visit,
    say('codes.title'),
    html`<p>${say('codes.text')}</p>
<ul class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>`,
    { way: { href: at(visit.site, 'profile/settings'), label: say('codes.saved') }, own: true },
  );
};

const ON_FORMS = { codes: codesFields, off: offFields };

/** Renders the forms of an active two-step log-in: new recovery codes, or switching it off, each after a proof. */
export const secondFactorOnPage = (visit: At, sent: { form: 'codes' | 'off'; draft: Draft } | null = null): Shown => {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const form = (name: 'codes' | 'off', button: string, tone: 'quiet' | 'danger') =>
    showForm({
      fields: ON_FORMS[name](say),
      draft: sent?.form === name ? sent.draft : EMPTY,
      action: at(site, `profile/second-factor/${name}`),
      button,
      tone,
      token,
      id: `${name}-`,
      say,
    });
  const body = html`${sent ? errorSummary(ON_FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : null}
<div class="page-title"><h1>${say('second.name')}</h1><p>${say('second.is_on')}</p></div>
${section(
  'codes',
  say('codes.new'),
  html`<p class="soft">${say('codes.new.text')}</p>${form('codes', say('codes.create'), 'quiet')}`,
)}
${section(
  'off',
  say('off.title'),
  html`<p class="soft">${say('off.text')}</p>${form('off', say('off.button'), 'danger')}`,
)}`;
  const status = sent ? (sent.draft.status ?? 422) : 200;
  return ownPage(visit, say('second.name'), body, { part: 'settings', status });
};

/** Renders the page before the secret is created. It asks for the password again if the log-in is not recent. */
export const beginSecondFactorPage = (
  visit: At,
  { proof, draft = EMPTY }: { proof: boolean; draft?: Draft },
): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('second.set_up'), {
    lead: say('second.needs'),
    fields: proof ? proofFields(say) : {},
    draft,
    action: at(visit.site, 'profile/second-factor/begin'),
    button: say('second.start'),
    own: true,
    turn: html`<p><a href="${at(visit.site, 'profile/settings')}">${say('second.not_now')}</a></p>`,
  });
};
