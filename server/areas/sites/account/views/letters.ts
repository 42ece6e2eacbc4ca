/** A customer's emails and text messages from the business, and their preferences. */
import {
  type Business,
  at,
  doneNotice,
  ownPage,
  section,
  writtenFor,
  type AccountSay,
  type NoticeKey,
  type AccountWritten as Written,
} from '../../frame/index.ts';
import { devicesCard, PUSH_SCRIPT, type DevicesView } from './devices.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { paragraphs } from '../../events/index.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

type Channel = 'email' | 'sms';

/** A kind of notice that can be switched off. */
export interface NoticeChoice {
  readonly id: number;
  readonly key: NoticeKey;
  /** channels on which the business sends it */
  readonly channels: readonly Channel[];
  readonly on: Readonly<Record<Channel, boolean>>;
}

interface Sent {
  /** null for text messages, and for emails whose links and codes are not kept */
  readonly subject: string | null;
  readonly channel: Channel;
  readonly at: number;
}

export interface LettersView {
  /** null: the business sends none, and no device is subscribed */
  readonly push: DevicesView | null;
  readonly news: Readonly<Record<Channel, boolean>>;
  readonly choices: readonly NoticeChoice[];
  /** newest first */
  readonly messages: readonly (Sent & { readonly id: number })[];
}

const titleOf = (say: AccountSay, { subject, channel }: Sent): string =>
  subject ?? say(channel === 'email' ? 'letters.account' : 'letters.sms');

const box = (name: string, label: string, on: boolean): Html =>
  html`<div class="field check"><input type="checkbox" id="${name}" name="${name}"${on ? html` checked` : null}><label for="${name}">${label}</label></div>`;

const form = ({ site, token }: At, { say }: Written, body: Html): Html =>
  html`<form method="post" action="${at(site, 'profile/messages')}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}">${body}
<div class="actions"><button class="quiet">${say('letters.save')}</button></div></form>`;

export function lettersPage(visit: At, { push, news, choices, messages }: LettersView): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const { name, tenant } = visit.site;
  const row = (one: LettersView['messages'][number]) =>
    html`<li><div><strong><a href="${at(visit.site, `profile/messages/${one.id}`)}"><bdi>${titleOf(
      say,
      one,
    )}</bdi></a></strong>
<p class="soft">${momentIn(reader.locale, one.at, tenant.zone)}</p></div></li>`;
  const body = html`${doneNotice(visit)}
<div class="page-title"><h1>${say('letters.title')}</h1></div>
${section(
  'sent',
  say('letters.sent'),
  messages.length === 0
    ? html`<p class="soft">${say('letters.none', { name })}</p>`
    : html`<ul class="rows">${messages.map(row)}</ul>`,
)}
${section(
  'news',
  say('letters.news'),
  form(
    visit,
    written,
    html`<input type="hidden" name="news" value="1">${box(
      'email',
      say('field.news', { name }),
      news.email,
    )}${box('sms', say('field.sms_news', { name }), news.sms)}`,
  ),
)}
${push && devicesCard(visit, written, push)}
${
  choices.length === 0
    ? null
    : section(
        'kinds',
        say('letters.kinds'),
        html`<p class="soft">${say('letters.kinds.text')}</p>${form(
          visit,
          written,
          html`${choices.map((one) => choice(say, one))}`,
        )}`,
      )
}`;
  return {
    ...ownPage(visit, say('letters.title'), body, { part: 'settings' }),
    script: push?.key ? PUSH_SCRIPT : null,
  };
}

/**
 * Renders the boxes of a notice: with one channel, a box names the notice; with two, each names its channel below it.
 */
function choice(say: AccountSay, { id, key, channels, on }: NoticeChoice): Html {
  const kept = html`<input type="hidden" name="kind-${id}" value="1">`;
  const [only, other] = channels;
  if (other === undefined)
    return html`${kept}${box(
      `${only}-${id}`,
      only === 'email' ? say(key) : say('letters.by_sms', { what: say(key) }),
      on[only],
    )}`;
  return html`${kept}<fieldset><legend>${say(key)}</legend>${channels.map((way) =>
    box(`${way}-${id}`, say(`letters.${way}`), on[way]),
  )}</fieldset>`;
}

/** Renders a message. `text` null: it contained a secret and was not stored. */
export function messagePage(visit: At, message: Sent & { readonly text: string | null }): Shown {
  const { say, reader } = writtenFor(visit);
  const { site } = visit;
  const title = titleOf(say, message);
  const body = html`<div class="page-title"><h1><bdi>${title}</bdi></h1>
<p>${momentIn(reader.locale, message.at, site.tenant.zone)}</p></div>
<section class="card">${
    message.text === null ? html`<p class="soft">${say('letters.secret')}</p>` : paragraphs(message.text)
  }</section>
<p class="actions"><a href="${at(site, 'profile/messages')}">${say('letters.back')}</a></p>`;
  return ownPage(visit, title, body, { part: 'settings' });
}
