/**
 * Public routes without a log-in: webhooks of processors, which are authenticated by their signature, and the page of
 * the sandbox, whose address nobody can guess.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failedPage } from '../../../kernel/pages/failing.ts';
import { framed, PLAIN } from '../../../kernel/pages/layout.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { businessTime } from '../../../kernel/work/unit/work.ts';
import { pageHeaders } from '../../../kernel/pages/headers.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { MESSAGES_PATH } from './payment-processor.ts';
import { sandboxPage, type PageOfSandbox } from './sandbox/page.ts';
import { takeMessage } from './take-message.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import type { EngineContext } from '../../../kernel/work/unit/engine.ts';
import type { Limits } from '../../../kernel/api/limits/limits.ts';
import type { Outside } from './context.ts';

interface DoorOptions extends Pick<EngineContext, 'db' | 'tenants' | 'registry' | 'installation' | 'now'> {
  readonly limits: Limits;
  readonly log: { error(o: object, m: string): void };
  readonly publicUrl: string | undefined;
}

/** Larger than any message about one payment. */
const MESSAGE_LIMIT = 512_000;
const FORM_LIMIT = 4096;

const idOf = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

export function paymentDoors(http: FastifyInstance, options: DoorOptions): void {
  void http.register(async (scope) => messageDoor(scope, options));
  void http.register(async (scope) => sandboxDoor(scope, options));
}

/** Returns the context of a business. @throws Problem `not_found` */
async function outsideOf(options: DoorOptions, provider: number | null): Promise<Outside> {
  const { db, registry, installation, now } = options;
  const tenant = provider === null ? null : await options.tenants.of(provider);
  if (!tenant) throw new Problem('not_found', 'Not found.');
  return { db, registry, installation, tenant, now: businessTime(tenant, now()) };
}

type ToProcessor = FastifyRequest<{ Params: { provider: string; processor: string } }>;

/**
 * Adds the route for messages of processors. Only the status of the response matters: after anything but a 2xx,
 * processors send the message again.
 */
function messageDoor(scope: FastifyInstance, options: DoorOptions): void {
  scope.removeAllContentTypeParsers();
  // The signature covers the raw bytes of the body.
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MESSAGE_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  scope.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send(),
  );
  scope.post(`${MESSAGES_PATH}/:provider/:processor`, async (request: ToProcessor, reply) => {
    try {
      options.limits.takePage('messages', request.ip);
      const outside = await outsideOf(options, idOf(request.params.provider));
      const processor = idOf(request.params.processor);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const taken =
        processor === null
          ? 'no such processor'
          : await takeMessage(outside, processor, { body, headers: headersOf(request) });
      const status = { applied: 204, known: 204, 'not genuine': 400, 'no such processor': 404 }[taken];
      return await reply.code(status).send();
    } catch (error) {
      const problem = translate(error, options.registry.constraints);
      if (problem.status >= 500 || problem.status === 409)
        options.log.error({ err: error, request_id: request.id }, 'a message of a payment processor was not applied');
      return reply.code(problem.status).headers(problem.headers).send();
    }
  });
}

const headersOf = ({ headers }: FastifyRequest): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]));

type ToPage = FastifyRequest<{ Params: PageOfSandbox }>;

function sandboxDoor(scope: FastifyInstance, options: DoorOptions): void {
  const headers = pageHeaders(options.publicUrl?.startsWith('https:') ?? false);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) =>
    done(null, new URLSearchParams(body as string)),
  );
  const failed = (reply: FastifyReply, request: FastifyRequest, problem: Problem) =>
    reply
      .headers({ ...headers, ...problem.headers })
      .code(problem.status)
      .type('text/html; charset=utf-8')
      .send(framed(PLAIN, failedPage(request, problem)));
  scope.setErrorHandler((error: { statusCode?: number }, request, reply) =>
    reply
      .headers(headers)
      .code(error.statusCode ?? 500)
      .type('text/html; charset=utf-8')
      .send(framed(PLAIN, failedPage(request, error.statusCode ?? 500))),
  );
  const answering = async (request: ToPage, reply: FastifyReply) => {
    try {
      options.limits.takePage('page', request.ip);
      const outside = await outsideOf(options, idOf(request.params.provider));
      const answer = request.body instanceof URLSearchParams ? request.body.get('answer') : null;
      const { shown, goesOn } = await sandboxPage(outside, request.params, answer);
      const head = goesOn === null ? null : html`<meta http-equiv="refresh" content="0; url=${goesOn}">`;
      return await reply
        .headers({ ...headers, 'request-id': request.id })
        .code(shown.status)
        .type('text/html; charset=utf-8')
        .send(framed(PLAIN, shown, head));
    } catch (error) {
      const problem = translate(error, new Map());
      if (problem.status >= 500) options.log.error({ err: error, request_id: request.id }, 'request failed');
      return failed(reply, request, problem);
    }
  };
  scope.get('/sandbox/:provider/:processor/:charge/:token', answering);
  scope.post('/sandbox/:provider/:processor/:charge/:token', answering);
}
