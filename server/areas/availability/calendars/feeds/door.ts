/**
 * Serves calendar feeds to calendar programs, which have no log-in: anyone who knows the secret address can read the
 * calendar. Runs two statements, however long the calendar is.
 */
import { hash } from 'node:crypto';
import { entriesOf, subjectOf, type Entry } from './entries.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { FOLDER } from './links.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { businessTime } from '../../../../kernel/work/unit/work.ts';
import { printCalendar } from './print.ts';
import { proves, readToken, rowOf, tokenHash, type Feed } from './address.ts';
import { translate } from '../../../../kernel/api/requests/refusals.ts';
import type { EngineContext } from '../../../../kernel/work/unit/engine.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limits } from '../../../../kernel/api/limits/limits.ts';

interface DoorOptions extends Pick<EngineContext, 'db' | 'tenants' | 'installation' | 'now'> {
  readonly limits: Limits;
  readonly log: { error(o: object, m: string): void };
}

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
};
/** Only the requesting program may cache the response, no proxy on the way. */
const HEADERS = { 'cache-control': 'private, max-age=300', 'content-security-policy': "default-src 'none'; sandbox" };
const MAX_EARLIER = 10;

type Named = FastifyRequest<{ Params: { file: string } }>;

export function calendarDoors(http: FastifyInstance, options: DoorOptions): void {
  http.get(`/${FOLDER}/:file`, async (request: Named, reply) => {
    reply.headers({ ...COMMON_HEADERS, 'request-id': request.id });
    const refuse = (status: number, text: string) =>
      reply.headers({ 'cache-control': 'no-store' }).code(status).type('text/plain; charset=utf-8').send(text);
    try {
      // Calendar services read the calendars of many people from a few addresses.
      options.limits.takePage('messages', request.ip);
      const text = await calendarOf(options, request.params.file);
      if (text === null) {
        options.limits.takePage('page', request.ip);
        return await refuse(404, 'There is no calendar at this address. It may have been reset.');
      }
      const etag = `"${hash('sha256', text, 'base64url').slice(0, 32)}"`;
      reply.headers({ ...HEADERS, etag });
      if (matches(request.headers['if-none-match'], etag)) return await reply.code(304).send();
      return await reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="calendar.ics"')
        .send(text);
    } catch (error) {
      const problem = translate(error, new Map());
      if (problem.status >= 500) options.log.error({ err: error, request_id: request.id }, 'request failed');
      reply.headers(problem.headers);
      return refuse(
        problem.status,
        problem.status >= 500 ? 'The calendar can’t be read now. Try again.' : problem.message,
      );
    }
  });
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);

/** Returns the calendar at an address; null if there is none. */
export async function calendarOf(
  options: Pick<DoorOptions, 'db' | 'tenants' | 'installation' | 'now'>,
  file: string,
): Promise<string | null> {
  const { db, tenants, installation } = options;
  const token = file.endsWith('.ics') ? file.slice(0, -4) : '';
  const feed = readToken(token);
  const tenant = feed && (await tenants.of(feed.providerId));
  if (!feed || !tenant) return null;
  const { providerId } = feed;
  const { is } = rowOf(feed);
  const now = businessTime(tenant, options.now());
  let proof: ReturnType<typeof proves> = null;
  const text = await db.lookingAnywhere(providerId, async (tx) => {
    const known = await tx.one<{ name: string | null; business: string; generation: number; earlier: string[] }>(
      sql`SELECT s.name, p.name AS business, coalesce(f.generation, 0) AS generation,
            coalesce((SELECT array_agg(encode(h, 'hex')) FROM unnest(f.earlier_hashes) h), '{}') AS earlier
          FROM (${subjectOf(feed)}) s JOIN provider p ON p.provider_id = ${providerId}
          LEFT JOIN calendar_feed f ON f.provider_id = ${providerId} AND ${is}`,
    );
    proof = known ? proves(installation.box, feed, token, known) : null;
    if (!known || proof === null) return null;
    const entries = await tx.rows<Entry & Record<string, unknown>>(entriesOf(feed, now));
    const forCustomers = feed.kind === 'customer' || feed.kind === 'family';
    return printCalendar({
      providerId,
      name:
        feed.kind === 'business'
          ? known.business
          : `${known.business}: ${forCustomers ? TITLES[feed.kind] : known.name}`,
      pageOf: forCustomers ? (event) => installation.baseUrl + eventPath(providerId, event) : null,
      entries,
    });
  });
  if (proof === 'earlier') await keep(options, feed, token, now);
  return text;
}

const TITLES = { customer: 'my calendar', family: 'my family’s calendar' } as const;

/**
 * Stores a token that is derived from a replaced key. From then on, the token is recognized without that key, so that
 * nobody has to subscribe again when the operator removes it.
 */
async function keep(
  { db }: Pick<DoorOptions, 'db'>,
  { providerId, ...of }: Feed,
  token: string,
  now: number,
): Promise<void> {
  const { columns } = rowOf(of);
  const at = instant(now);
  await db.transaction(providerId, (tx) =>
    tx.run(sql`
      INSERT INTO calendar_feed (provider_id, kind, customer_id, instructor_id, venue_room_id, earlier_hashes,
        created_at, updated_at)
      VALUES (${providerId}, ${columns.kind}, ${columns.customer_id}, ${columns.instructor_id},
        ${columns.venue_room_id},
        ARRAY[${`\\x${tokenHash(token)}`}::bytea], ${at}, ${at})
      ON CONFLICT ON CONSTRAINT calendar_feed_one
      DO UPDATE SET earlier_hashes = calendar_feed.earlier_hashes || excluded.earlier_hashes
      WHERE cardinality(calendar_feed.earlier_hashes) < ${MAX_EARLIER}
        AND NOT calendar_feed.earlier_hashes @> excluded.earlier_hashes`),
  );
}
