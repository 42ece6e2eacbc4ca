/** The question whether an application may act for a person. */
import { html } from '../../../../kernel/api/html.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import type { Business } from '../business.ts';
import { consentFields } from './fields.ts';
import { buttonForm, top } from './parts.ts';
import { at } from '../business.ts';

/** What an application asks of a person. */
export interface ConsentQuestion {
  readonly id: string;
  readonly application: string;
  /** where the answer is sent, as people read it: `app.example.com` */
  readonly destination: string;
  /** each thing that it may do then, in words */
  readonly wishes: readonly string[];
  /** the businesses that it reaches, by name; empty: this one */
  readonly businesses: readonly string[];
}

export function consentPage(
  { site, token }: Visit<Business>,
  { id, application, destination, wishes, businesses }: ConsentQuestion,
  email: string,
): Shown {
  const names = businesses.length === 0 ? [site.name] : businesses;
  const body = html`<div class="card"><h1>Let ${application} act for you?</h1>
<p class="lead">You're logged in as <strong>${email}</strong>.</p>
<h2>At ${names.join(', ')}, it can</h2>
<ul class="wishes">${wishes.map((wish) => html`<li>${wish}</li>`)}</ul>
<p>Your answer is sent to <strong>${destination}</strong>. You can change your mind at any time in your account.</p>
<div class="choices">${buttonForm({ fields: consentFields, kept: { request: id }, action: at(site, 'consent/allow'), button: 'Allow', token })}
${buttonForm({ fields: consentFields, kept: { request: id }, action: at(site, 'consent/refuse'), button: "Don't allow", tone: 'quiet', token })}</div></div>`;
  return page(`Let ${application} act for you?`, body, { top: top(site, token) });
}
