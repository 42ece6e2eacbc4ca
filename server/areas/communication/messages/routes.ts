/**
 * Requests from outside without a log-in: the link to unsubscribe (RFC 8058: a POST that a mailbox sends automatically,
 * and a page with a button for people) and reports of the SMS service. Each names a message by a token that nobody can
 * guess.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failedPage } from '../../../kernel/pages/failing.ts';
import { framed, PLAIN } from '../../../kernel/pages/layout.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { isToken } from './tokens.ts';
import { messageOfLink, unsubscribe, type Unsubscribing } from './unsubscribe.ts';
import { page, type Shown, type Site } from '../../../kernel/pages/visit.ts';
import { pageHeaders } from '../../../kernel/pages/headers.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { STATUS_PATH } from './sms/status.ts';
import { takeSmsReport } from './sms/report.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import type { EngineContext } from '../../../kernel/work/unit/engine.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';

export interface DoorOptions extends Pick<EngineContext, 'db' | 'tenants' | 'registry' | 'installation' | 'now'> {
  readonly limits: Limits;
  readonly log: { error(o: object, m: string): void };
  readonly publicUrl: string | undefined;
}

const FORM_LIMIT = 16_384;
type Named = FastifyRequest<{ Params: { token: string } }>;

export function messageDoors(http: FastifyInstance, options: DoorOptions): void {
  const headers = pageHeaders(options.publicUrl?.startsWith('https:') ?? false);
  const show = (reply: FastifyReply, shown: Shown, site: Site = PLAIN) =>
    reply
      .headers({ ...shown.headers, ...headers, 'request-id': reply.request.id })
      .code(shown.status)
      .type('text/html; charset=utf-8')
      .send(framed(site, shown));

  /** Responds with a page; any error becomes one. */
  const answering =
    (act: (request: Named) => Promise<{ shown: Shown; site: Site }>) => async (request: Named, reply: FastifyReply) => {
      try {
        options.limits.takePage('page', request.ip);
        const { shown, site } = await act(request);
        return await show(reply, shown, site);
      } catch (error) {
        const problem = translate(error, new Map());
        if (problem.status >= 500) options.log.error({ err: error, request_id: request.id }, 'request failed');
        return show(reply, failedPage(request, problem));
      }
    };

  const found = async ({ params: { token } }: Named): Promise<Unsubscribing> => {
    const message = isToken(token) ? await messageOfLink(options, token) : undefined;
    if (!message) throw new Problem('not_found', 'Not found.');
    return message;
  };

  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    scope.setErrorHandler((error: { statusCode?: number }, request, reply) =>
      show(reply, failedPage(request, error.statusCode ?? 500)),
    );

    // Mailboxes and scanners follow links, so only a POST has an effect.
    scope.get(
      '/unsubscribe/:token',
      answering(async (request) => {
        const message = await found(request);
        return { shown: asking(message, request.params.token), site: siteOf(message) };
      }),
    );
    scope.post(
      '/unsubscribe/:token',
      answering(async (request) => {
        const message = await found(request);
        await unsubscribe(options, message);
        return { shown: done(message), site: siteOf(message) };
      }),
    );

    scope.post(`${STATUS_PATH}/:token`, async (request: Named, reply) => {
      const { token } = request.params;
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const signature = request.headers['x-twilio-signature'];
      try {
        const genuine =
          isToken(token) &&
          (await takeSmsReport(options, token, form, typeof signature === 'string' ? signature : undefined));
        return await reply.code(genuine ? 204 : 403).send();
      } catch (error) {
        // The SMS service retries if the response asks for it.
        const problem = translate(error, new Map());
        options.log.error({ err: error, request_id: request.id }, 'request failed');
        return reply.code(problem.status).send();
      }
    });
  });
}

const asking = ({ business, channel }: Unsubscribing, token: string): Shown =>
  page(
    'Unsubscribe',
    html`<div class="card"><h1>Unsubscribe from ${business}?</h1>
<p>You'll no longer get news and offers by ${channel === 'email' ? 'email' : 'text message'}. You'll still hear about
what you booked.</p>
<form method="post" action="/unsubscribe/${token}"><p class="actions"><button type="submit">Unsubscribe</button></p>
</form></div>`,
  );

const done = (message: Unsubscribing): Shown =>
  page(
    'Unsubscribed',
    html`<div class="card"><h1>You're unsubscribed</h1>
<p>You'll no longer get news from ${message.business}. Messages that are already on their way may still arrive in the
next few minutes.</p>
<p class="actions"><a class="button quiet" href="${siteOf(message).home}">Go to ${message.business}</a></p></div>`,
  );

/** With the name and the colors of the business. */
const siteOf = ({ provider_id: id, business }: Unsubscribing): Site => ({
  name: business,
  home: `/account/${id}/profile`,
  theme: `/account/${id}/theme.css`,
});
