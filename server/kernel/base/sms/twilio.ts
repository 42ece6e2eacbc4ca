/**
 * Text messages by a service with Twilio's interface: one request for each, by HTTPS with basic authentication. As with
 * the final dot of an email, the last byte of the body waits for the caller: without it, the service has no request to
 * act on.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { said, type Carrier, type LastByte, type Outcome } from '../carrier.ts';

export interface TextMessage {
  /** such as +441632960000 */
  readonly to: string;
  readonly body: string;
  /** URL for status reports of the service; null: none are needed */
  readonly statusUrl: string | null;
}

export interface SmsSettings {
  readonly account: string;
  readonly token: string;
  readonly from: string;
  readonly origin: string;
}

const LINES = 4;
/** Giving up early means sending twice. */
const ANSWER_MS = 120_000;
const MAX_RESPONSE_BYTES = 65_536;
/** Codes of the interface for a number that doesn't exist or can't receive messages. */
const NO_SUCH_NUMBER = new Set(['21211', '21214', '21612', '21614', '30003', '30005', '30006']);
/** The person answered STOP to this sender. */
const STOPPED = '21610';

/**
 * Reads `twilio://SID:TOKEN@api.twilio.com?from=+1…`; `twilio+http` is for this machine only. Null: the text is
 * neither.
 */
export function readSmsUrl(text: string): SmsSettings | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const scheme = { 'twilio:': 'https', 'twilio+http:': 'http' }[url.protocol];
  const from = url.searchParams.get('from')?.replace(/^ /, '+') ?? '';
  if (
    !scheme ||
    url.username === '' ||
    url.password === '' ||
    !/^(\+[0-9]{6,15}|[0-9]{3,8}|[A-Za-z0-9 ]{1,11}|MG[0-9a-f]{32})$/.test(from)
  )
    return null;
  if (
    scheme === 'http' &&
    url.hostname !== 'localhost' &&
    !(isIP(url.hostname) === 4 && url.hostname.startsWith('127.'))
  )
    return null;
  return {
    account: decodeURIComponent(url.username),
    token: decodeURIComponent(url.password),
    from,
    origin: `${scheme}://${url.host}`,
  };
}

export class TwilioCarrier implements Carrier<TextMessage> {
  readonly lines = LINES;
  readonly #settings: SmsSettings;
  readonly #agent: http.Agent;

  constructor(settings: SmsSettings) {
    this.#settings = settings;
    const options = { keepAlive: true, maxSockets: LINES, timeout: ANSWER_MS };
    this.#agent = settings.origin.startsWith('https:') ? new https.Agent(options) : new http.Agent(options);
  }

  hand({ to, body, statusUrl }: TextMessage, { mayEnd, ending }: LastByte): Promise<Outcome> {
    const { account, token, from, origin } = this.#settings;
    const sender = { [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from };
    const form = Buffer.from(
      new URLSearchParams({
        To: to,
        ...sender,
        Body: body,
        ...(statusUrl && { StatusCallback: statusUrl }),
      }).toString(),
    );
    const client = origin.startsWith('https:') ? https : http;
    return new Promise<Outcome>((resolve, reject) => {
      let ended = false;
      let asking: Promise<void> | undefined;
      let over = false;
      const settle = (outcome: (ended: boolean) => Outcome) => {
        if (over) return;
        over = true;
        void (asking ?? Promise.resolve()).then(() => resolve(outcome(ended)), reject);
      };
      const request = client.request(`${origin}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`, {
        method: 'POST',
        agent: this.#agent,
        timeout: ANSWER_MS,
        headers: {
          authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': form.length,
        },
      });
      const lost = (error: Error) =>
        settle((sent) => ({ outcome: sent ? 'unanswered' : 'not_reached', said: said(error) }));
      request.on('error', lost);
      request.on('timeout', () => request.destroy(new Error('the SMS service did not answer in time')));
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          if ((size += part.length) <= MAX_RESPONSE_BYTES) parts.push(part);
        });
        response.on('error', lost);
        response.on('end', () => settle(() => outcomeOf(response.statusCode ?? 0, Buffer.concat(parts).toString())));
      });
      const ask = async (): Promise<void> => {
        ended = await mayEnd();
        if (ended) {
          ending();
          request.end(form.subarray(-1));
        } else {
          settle(() => ({ outcome: 'withdrawn' }));
          request.destroy();
        }
      };
      request.write(form.subarray(0, -1), (error) => {
        if (error || over) return;
        asking = ask();
        asking.catch((failure) => {
          request.destroy();
          reject(failure);
        });
      });
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }
}

function outcomeOf(status: number, text: string): Outcome {
  const answer = parsed(text);
  if (status >= 200 && status < 300)
    return { outcome: 'taken', reference: typeof answer.sid === 'string' ? answer.sid.slice(0, 200) : null };
  const code = answer.code === undefined ? String(status) : String(answer.code);
  const permanent =
    status >= 400 && status < 500 && status !== 408 && status !== 429 && status !== 401 && status !== 403;
  return {
    outcome: 'refused',
    permanent,
    address: permanent && (NO_SUCH_NUMBER.has(code) || code === STOPPED),
    code,
    said: said(`${code} ${String(answer.message ?? 'the SMS service refused')}`),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Returns true if the service itself sent this form to `url`: HMAC-SHA1 of the URL and the sorted fields, keyed with
 * the account's token.
 */
export function isSigned(token: string, url: string, form: URLSearchParams, signature: string | undefined): boolean {
  const fields = [...new Set(form.keys())]
    .toSorted()
    .map((name) => name + [...new Set(form.getAll(name))].toSorted().join(name));
  const wanted = createHmac('sha1', token)
    .update(url + fields.join(''))
    .digest();
  const given = Buffer.from(signature ?? '', 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Returns the meaning of a status for the message; null: none yet. */
export function statusOf(
  form: URLSearchParams,
): { status: 'delivered' | 'failed'; address: boolean; code: string | null } | null {
  const status = form.get('MessageStatus') ?? form.get('SmsStatus');
  if (status === 'delivered') return { status, address: false, code: null };
  if (status !== 'failed' && status !== 'undelivered') return null;
  const code = form.get('ErrorCode')?.slice(0, 20) ?? null;
  return { status: 'failed', address: code !== null && (NO_SUCH_NUMBER.has(code) || code === STOPPED), code };
}
