/** Fetches the text of a calendar through the guarded outbound client. */
import { OutboundFailure, type Outbound } from '../../../../kernel/base/http-out/outbound.ts';

interface Known {
  readonly url: string;
  /** of the last response; null: send the calendar unconditionally */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

type Fetched =
  | { readonly is: 'unchanged' }
  | { readonly is: 'text'; readonly text: string; readonly etag: string | null; readonly lastModified: string | null }
  | { readonly is: 'failed'; readonly error: string; readonly retryAfterMs?: number };

const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const REDIRECTS = 3;
const HEADER = 1000;

const MEANINGS: Readonly<Record<number, string>> = {
  401: 'The calendar asks for a password. Use its secret address, which needs none.',
  403: 'The calendar refuses to be read. Its address may have been reset.',
  404: 'There is no calendar at the address any more. It may have been reset.',
  410: 'There is no calendar at the address any more. It may have been reset.',
  429: 'The calendar was asked too often.',
};

/** Fetches a calendar. The result contains nothing of the address, which is a secret. */
export async function fetchCalendar(
  outbound: Pick<Outbound, 'send'>,
  { url, etag, lastModified }: Known,
): Promise<Fetched> {
  let at = url;
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    let answer;
    try {
      answer = await outbound.send({
        url: at,
        method: 'GET',
        timeoutMs: TIMEOUT_MS,
        mostRead: MAX_BYTES + 1,
        headers: {
          accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
          'user-agent': 'Rollcall calendar reader',
          ...(etag !== null && { 'if-none-match': etag }),
          ...(lastModified !== null && { 'if-modified-since': lastModified }),
        },
      });
    } catch (error) {
      if (error instanceof OutboundFailure) return failed(plainly(error.message, at));
      throw error;
    }
    const { status, headers, body } = answer;
    if ([301, 302, 303, 307, 308].includes(status) && headers.location) {
      if (!URL.canParse(headers.location, at)) return failed('The calendar redirects to something that is no address.');
      at = new URL(headers.location, at).href;
      continue;
    }
    if (status === 304) return { is: 'unchanged' };
    if (status === 200) {
      if (Buffer.byteLength(body) > MAX_BYTES) return failed('The calendar is larger than 5 MB.');
      return { is: 'text', text: body, etag: kept(headers.etag), lastModified: kept(headers['last-modified']) };
    }
    return failed(
      MEANINGS[status] ?? `The calendar answered with the status ${status}.`,
      waitOf(headers['retry-after']),
    );
  }
  return failed(`The calendar redirects more than ${REDIRECTS} times.`);
}

const failed = (error: string, retryAfterMs?: number): Fetched => ({
  is: 'failed',
  error: error.slice(0, 500),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** A truncated header would never match the one that the calendar sends. */
const kept = (header: string | undefined): string | null =>
  header === undefined || header === '' || header.length >= HEADER ? null : header;

const waitOf = (seconds: string | undefined): number | undefined =>
  seconds !== undefined && /^\d{1,7}$/.test(seconds) ? Number(seconds) * 1000 : undefined;

/**
 * Returns the message of a failure without the address. It may name the host, which is shown anyway, but nothing else
 * of the address.
 */
const plainly = (message: string, url: string): string => {
  const { pathname, search } = new URL(url);
  const whole = pathname + search;
  return whole.length > 1 && message.includes(whole) ? message.replaceAll(whole, '') : message;
};
