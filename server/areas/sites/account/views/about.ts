/** The head of an account: whose it is, and what has to be done first. */
import {
  at,
  buttonForm,
  doneNotice,
  section,
  standingOut,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { owedCard } from './payments.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface AboutView {
  readonly email: string;
  readonly confirmed: boolean;
  /** the person's roles at this business; neither: none yet */
  readonly staff: boolean;
  readonly customer: boolean;
  /** address of the dashboard for staff; null: they are not staff, or not with this log-in */
  readonly dashboard: string | null;
  /** open charges at this business, in minor units */
  readonly owed: number;
  /** the business requires a second step of its staff, and this staff member has none */
  readonly secondFactorWanted: boolean;
}

/** Renders the head. `above`: a message that takes the place of the one in the address. */
export function headOf(visit: At, written: Written, about: AboutView, above: Html | null = null): Html {
  const { say } = written;
  const { staff, customer, confirmed, email, owed, dashboard } = about;
  const roles = [...(staff ? [say('profile.team')] : []), ...(customer ? [say('profile.customer')] : [])];
  return html`${above ?? doneNotice(visit)}
<div class="page-title"><h1>${say('account.title')}</h1>
<p>${email}${roles.map((role) => html`<span class="tag">${role}</span>`)}</p>${
    dashboard === null
      ? null
      : html`<p class="actions"><a class="button" href="${dashboard}">${say('profile.dashboard')}</a></p>`
  }</div>
${owed === 0 ? null : owedCard(visit, written, owed)}${confirmed ? null : unconfirmedCard(visit, written, email)}${
    confirmed && roles.length === 0 ? joinCard(visit, written) : null
  }
${about.secondFactorWanted ? wantedCard(visit, written) : null}`;
}

const wantedCard = ({ site }: At, { say }: Written): Html =>
  section(
    'wanted',
    say('wanted.title'),
    html`<p>${say('wanted.text', { name: site.name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile/second-factor')}">${say('second.set_up')}</a></p>`,
  );

const unconfirmedCard = ({ site, token }: At, { say }: Written, to: string): Html =>
  section(
    'unconfirmed',
    say('unconfirmed.title'),
    html`<p>${standingOut((email) => say('unconfirmed.text', { email }), to)}</p>
${buttonForm({ action: at(site, 'profile/confirm'), button: say('unconfirmed.button'), tone: 'quiet', token })}`,
  );

const joinCard = ({ site, token }: At, { say }: Written): Html =>
  section(
    'join',
    say('join.title', { name: site.name }),
    html`<p>${say('join.text', { name: site.name })}</p>
${buttonForm({ action: at(site, 'profile/join'), button: say('join.button', { name: site.name }), token })}`,
  );
