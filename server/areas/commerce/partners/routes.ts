/** The public route for messages of partners. Each message is authenticated by its signature. */
import { answerMessage, readPartner } from './messages.ts';
import { businessTime } from '../../../kernel/work/unit/work.ts';
import { PARTNERS_PATH } from './partner.ts';
import { openSecret } from './secret.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { readMessage } from './read-message.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import { verifiedId } from './signature.ts';
import type { EngineContext } from '../../../kernel/work/unit/engine.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../../../kernel/api/limits/limits.ts';

interface RouteOptions extends Pick<EngineContext, 'db' | 'tenants' | 'registry' | 'installation' | 'now'> {
  readonly limits: Limits;
  readonly log: { error(o: object, m: string): void };
}

const MESSAGE_LIMIT = 16_384;
const idIn = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

type ToPartner = FastifyRequest<{ Params: { provider: string; partner: string } }>;

export function partnerRoutes(http: FastifyInstance, options: RouteOptions): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The signature covers the raw bytes of the body.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MESSAGE_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 500).send(),
    );
    scope.post(`${PARTNERS_PATH}/:provider/:partner`, async (request: ToPartner, reply) => {
      try {
        options.limits.takePage('messages', request.ip);
        const { status, ...answer } = await answerTo(options, request);
        return await reply.code(status).send(answer);
      } catch (error) {
        const problem = translate(error, options.registry.constraints);
        if (problem.status >= 500)
          options.log.error({ err: error, request_id: request.id }, 'a message of a partner was not answered');
        return reply
          .code(problem.status)
          .headers(problem.headers)
          .send({ is_accepted: false, reason: problem.code, message: problem.message });
      }
    });
  });
}

async function answerTo(options: RouteOptions, { params, body, headers }: ToPartner) {
  const [provider, partner] = [idIn(params.provider), idIn(params.partner)];
  const tenant = provider === 0 ? null : await options.tenants.of(provider);
  const row =
    tenant && (await options.db.looking(provider, (tx) => readPartner({ tx, providerId: provider }, partner)));
  const header = (name: string): string | undefined => [headers[name]].flat()[0];
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const id =
    row &&
    verifiedId(
      {
        body: bytes,
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      },
      openSecret(options.installation.box, provider, partner, row.sealed),
      businessTime(tenant, options.now()),
    );
  // The same answer for an unknown partner, so that nobody learns which ones there are.
  if (!id) throw new Problem('authentication_failed', 'The signature is not genuine, or is older than five minutes.');
  const message = readMessage(bytes.toString('utf8'));
  const bodyHash = options.installation.box
    .fingerprint('partner message', bytes.toString('base64'))
    .toString('base64url');
  return answerMessage(options, provider, partner, { id, bodyHash, message });
}
