/** The outbox as a page, for whoever develops on this machine. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml, Html, html } from '../api/html.ts';
import { listKept, readKept, type KeptMail } from './outbox.ts';
import type { Database } from '../db/database.ts';

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";
const LINK = /\bhttps?:\/\/[^\s<>"']+/g;

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * The mails hold live links, so only this machine reads them, under its own name (no other site's script may), and
 * never through a proxy on it, whose requests come from this machine too.
 */
const isThisMachine = ({ ip, host, headers }: FastifyRequest): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(ip) &&
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) &&
  FORWARDED.every((name) => headers[name] === undefined);

const sendHtml = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(text);

function send(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>`;
  return sendHtml(reply, page.text);
}

/** A text message has no subject: it is called by what it is. */
const titleOf = ({ channel, subject }: KeptMail): string =>
  subject || (channel === 'sms' ? 'Text message' : 'Without a subject');

const linked = (text: string): string => escapeHtml(text).replaceAll(LINK, (url) => `<a href="${url}">${url}</a>`);

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
        html`<li><a href="/dev/mail/${m.id}">${titleOf(m)}</a> to ${m.recipient}, ${new Date(m.created_at).toISOString()}</li>`,
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
    const text = new Html(linked(mail.text_part));
    const look = mail.html_part === '' ? null : html`<p><a href="/dev/mail/${mail.id}/html">Show the HTML part</a></p>`;
    return send(
      reply,
      titleOf(mail),
      html`<p>From ${mail.sender} to ${mail.recipient}</p>${look}<pre style="white-space: pre-wrap">${text}</pre><p><a href="/dev/mail">All messages</a></p>`,
    );
  });
  http.get<{ Params: { id: string } }>('/dev/mail/:id/html', async (request, reply) => {
    const mail = await find(request);
    return mail && mail.html_part !== '' ? sendHtml(reply, mail.html_part) : reply.callNotFound();
  });
}
