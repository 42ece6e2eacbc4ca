/** The outbox as a page, for developers on this machine. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml, Html, html } from '../markup/html.ts';
import { listKept, readKept, type KeptMail } from './outbox.ts';
import type { Database } from '../db/database.ts';

const policy = (frames: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; ${frames}; base-uri 'none'`;
const PAGE = policy("frame-src 'self'; frame-ancestors 'none'");
/** policy for an email's own HTML: it is shown only on the page about the email */
const INNER = policy("img-src 'self'; frame-ancestors 'self'");
const LINK = /\bhttps?:\/\/[^\s<>"']+/g;

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Returns true if the request comes from this machine. The emails contain live links, so they are readable only from
 * here, under the machine's own name (no other site's script can read them), and never through a proxy on it, whose
 * requests come from this machine too.
 */
const isThisMachine = ({ ip, host, headers }: FastifyRequest): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(ip) &&
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) &&
  FORWARDED.every((name) => headers[name] === undefined);

const sendHtml = (reply: FastifyReply, text: string, policy = PAGE): FastifyReply =>
  reply
    .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(text);

function send(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; background: Canvas; color: CanvasText">
<main><h1>${title}</h1>${body}</main></body></html>`;
  return sendHtml(reply, page.text);
}

/** Returns the title. A text message has no subject, so its channel is shown. */
const titleOf = ({ channel, subject }: KeptMail): string =>
  subject || (channel === 'sms' ? 'Text message' : 'Without a subject');

const linked = (text: string): string => escapeHtml(text).replaceAll(LINK, (url) => `<a href="${url}">${url}</a>`);

const FRAME = 'height: 48rem; border: 1px solid; border-radius: 6px; background: Canvas';

/** Returns the message as on a desktop and on a phone, as text, and as source. */
const parts = ({ id, html_part: source }: KeptMail, text: Html): Html => html`<h2>HTML</h2>
<p><a href="/dev/mail/${id}/html">Show the HTML part</a></p>
<div style="display: flex; flex-wrap: wrap; gap: 1rem">
<iframe title="At a desk" src="/dev/mail/${id}/html" style="flex: 2 1 40rem; ${FRAME}"></iframe>
<iframe title="On a phone" src="/dev/mail/${id}/html" style="flex: none; width: 22.5rem; max-width: 100%; ${FRAME}">
</iframe></div>
<h2>Text</h2>${text}
<h2>Source</h2><pre style="white-space: pre-wrap; overflow-wrap: anywhere">${source}</pre>`;

export function devMail(http: FastifyInstance, db: Database): void {
  const find = async (request: FastifyRequest<{ Params: { id: string } }>): Promise<KeptMail | undefined> =>
    isThisMachine(request) && /^[1-9]\d{0,14}$/.test(request.params.id)
      ? readKept(db, Number(request.params.id))
      : undefined;

  http.get('/dev/mail', async (request, reply) => {
    if (!isThisMachine(request)) return reply.callNotFound();
    const mails = await listKept(db);
    const items = mails.map(
      (m) =>
        html`<li><a href="/dev/mail/${m.id}">${titleOf(m)}</a> to ${m.recipient}, ${new Date(
          m.created_at,
        ).toISOString()}</li>`,
    );
    return send(
      reply,
      'Messages that were kept, not sent',
      mails.length === 0 ? html`<p>There are none.</p>` : html`<ul>${items}</ul>`,
    );
  });
  http.get<{ Params: { id: string } }>('/dev/mail/:id', async (request, reply) => {
    const mail = await find(request);
    if (!mail) return reply.callNotFound();
    const text = html`<pre
  style="white-space: pre-wrap; overflow-wrap: anywhere">${new Html(linked(mail.text_part))}</pre>`;
    return send(
      reply,
      titleOf(mail),
      html`<p>From ${mail.sender} to ${mail.recipient}</p>${
        mail.html_part === '' ? text : parts(mail, text)
      }<p><a href="/dev/mail">All messages</a></p>`,
    );
  });
  http.get<{ Params: { id: string } }>('/dev/mail/:id/html', async (request, reply) => {
    const mail = await find(request);
    return mail && mail.html_part !== '' ? sendHtml(reply, mail.html_part, INNER) : reply.callNotFound();
  });
}
