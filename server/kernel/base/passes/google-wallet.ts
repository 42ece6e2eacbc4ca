/**
 * Google Wallet: the content of a pass is first sent to Google, and the link to save it contains only its id. A link
 * could also contain the pass itself; but URLs end up in histories and logs, and a pass has somebody's name.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { OutboundFailure, type Outbound, type OutboundAnswer } from '../http-out/outbound.ts';

export interface GoogleSettings {
  /** issuer of the account at Google Wallet */
  readonly issuer: string;
  /** the key file of a service account, in JSON */
  readonly key: string;
  /** base URL of Google's interface, without a trailing slash */
  readonly url: string;
}

export interface GoogleTools {
  readonly outbound: Outbound;
  readonly warn: (why: string) => void;
}

/** The class of a pass and the pass itself, each with an `id` under its issuer. */
export interface GooglePass {
  readonly type: 'eventTicket' | 'generic';
  readonly class: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly object: { readonly id: string } & Readonly<Record<string, unknown>>;
}

interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  readonly key: KeyObject;
  readonly tokenUrl: string;
}

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const SAVE = 'https://pay.google.com/gp/v/save/';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const HOUR_MS = 3_600_000;
/** A new token is requested a little before the old one expires. */
const EARLY_MS = 60_000;

/** Google didn't accept the pass. */
class GoogleRefusal extends Error {
  override name = 'GoogleRefusal';
}

export class GoogleWallet {
  readonly issuer: string;
  readonly #url: string;
  readonly #account: ServiceAccount;
  readonly #outbound: Outbound;
  readonly #warn: GoogleTools['warn'];
  #token: { readonly text: string; readonly until: number } | null = null;

  /** `warn`: reports to the operator why a pass was refused. @throws Error that says what is wrong with the settings */
  constructor({ issuer, key, url }: GoogleSettings, { outbound, warn }: GoogleTools) {
    this.issuer = issuer;
    this.#url = `${url}/walletobjects/v1`;
    this.#account = readServiceAccount(key);
    this.#outbound = outbound;
    this.#warn = warn;
  }

  /**
   * Sends Google the content of the pass; returns the URL to save it. `now`: epoch ms.
   * @throws GoogleRefusal, OutboundFailure
   */
  async save(pass: GooglePass, now: number): Promise<string> {
    const { type, class: of, object } = pass;
    await this.#tell(pass, now);
    const { email, key, keyId } = this.#account;
    const link = await new SignJWT({
      typ: 'savetowallet',
      origins: [],
      payload: { [`${type}Objects`]: [{ id: object.id, classId: of.id }] },
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
      .setIssuer(email)
      .setAudience('google')
      .setIssuedAt(Math.floor(now / 1000))
      .sign(key);
    return SAVE + link;
  }

  async #tell({ type, class: of, object }: GooglePass, now: number): Promise<void> {
    try {
      const token = await this.#access(now);
      await this.#put(`${type}Class`, of, token);
      await this.#put(`${type}Object`, object, token);
    } catch (error) {
      if (isGoogleFailure(error)) this.#warn(error.message);
      throw error;
    }
  }

  /** Creates it, or updates it if it already exists. */
  async #put(kind: string, value: { readonly id: string }, token: string): Promise<void> {
    const send = (method: 'POST' | 'PUT', path: string) =>
      this.#outbound.send({
        url: `${this.#url}/${kind}${path}`,
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(value),
      });
    const made = await send('POST', '');
    const answer = made.status === 409 ? await send('PUT', `/${value.id}`) : made;
    // Google ends a token early if the key or the permission of the account changes: the next pass requests another.
    if (answer.status === 401 && this.#token?.text === token) this.#token = null;
    if (answer.status !== 200) throw refused(kind, answer);
  }

  async #access(now: number): Promise<string> {
    if (this.#token && now < this.#token.until) return this.#token.text;
    const { email, key, keyId, tokenUrl } = this.#account;
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
      .setIssuer(email)
      .setAudience(tokenUrl)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor((now + HOUR_MS) / 1000))
      .sign(key);
    const answer = await this.#outbound.send({
      url: tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    });
    const token = answer.status === 200 ? tokenIn(answer.body) : null;
    if (!token) throw refused('token', answer);
    this.#token = { text: token.access_token, until: now + token.expires_in * 1000 - EARLY_MS };
    return token.access_token;
  }
}

/** Returns true if the cause is external: it may work a moment later, or after the operator has fixed it. */
export const isGoogleFailure = (error: unknown): error is Error =>
  error instanceof GoogleRefusal || error instanceof OutboundFailure;

/** Returns a refusal. Google's message describes the fault of a pass, never its content. */
function refused(what: string, { status, body }: OutboundAnswer): GoogleRefusal {
  const said = /"message":\s*"([^"]{0,300})/.exec(body)?.[1];
  return new GoogleRefusal(`Google Wallet answers ${status} for ${what}${said ? `: ${said}` : ''}`);
}

function tokenIn(body: string): { access_token: string; expires_in: number } | null {
  const { access_token, expires_in } = parsed(body) ?? {};
  return typeof access_token === 'string' && typeof expires_in === 'number' ? { access_token, expires_in } : null;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const wrongKey = (is: string): Error =>
  new Error(
    `The file of GOOGLE_WALLET_KEY ${is}. Remedy: use the JSON key of a service account as Google Cloud offers it for download, or unset GOOGLE_WALLET_ISSUER and GOOGLE_WALLET_KEY.`,
  );

function readServiceAccount(file: string): ServiceAccount {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongKey(`can’t be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const { client_email: email, private_key_id: keyId, private_key: pem, token_uri: tokenUrl } = parsed(text) ?? {};
  if (![email, keyId, pem, tokenUrl].every((one) => typeof one === 'string'))
    throw wrongKey('is not the key of a service account');
  try {
    const key = createPrivateKey(pem as string);
    return { email: email as string, keyId: keyId as string, key, tokenUrl: tokenUrl as string };
  } catch {
    throw wrongKey('holds no key');
  }
}
