import type { BucketSettings } from './kernel/base/files/bucket-store.ts';
import { readScaleConfig, type ScaleConfig } from './scale/settings.ts';
import type { Retention } from './kernel/work/retention/kept-table.ts';
import { readKey } from './kernel/base/secret-box.ts';
import { readRange } from './kernel/base/http-out/addresses.ts';
import { isMailAddress, readSender } from './kernel/base/mail/address.ts';
import type { WalletSettings } from './kernel/base/passes/index.ts';
import { readSmsUrl, type SmsSettings } from './kernel/base/sms/twilio.ts';

/** Settings of the operator, all by environment variables, each with a default that suits one machine. */
export interface Config extends ScaleConfig, WalletSettings {
  readonly host: string;
  readonly port: number;
  /** port on which a worker can be monitored; absent: it opens no port */
  readonly operationsPort: number | undefined;
  /** an external PostgreSQL; absent: the embedded one in `dataDir` */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** bucket for files; absent: they are kept in `dataDir` */
  readonly bucket: BucketSettings | undefined;
  /** the service backs itself up every day */
  readonly dailyBackups: boolean;
  /** another bucket, for encrypted copies of these backups */
  readonly backupBucket: BucketSettings | undefined;
  /** URL that clients use, if there is a proxy */
  readonly publicUrl: string | undefined;
  readonly connections: number;
  readonly rateLimit: boolean;
  readonly trustProxy: number;
  /** alternative words for `Service-…` headers and the `Bearer` prefix, for integrations that use others */
  readonly aliases: { readonly headers: readonly string[]; readonly credentials: readonly string[] };
  /** smtp:// or smtps://; absent: email is kept in the database for the operator to read */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** messages that are handed to the mail server at the same time */
  readonly smtpConnections: number;
  /**
   * an address for failure reports, to which each message adds `+` and a token; absent: that of `mailFrom`, unchanged
   */
  readonly mailBounces: string | undefined;
  /** emails that a business may send as broadcasts in a month; null: any number */
  readonly emailQuota: number | null;
  /** text messages that a business may send in a month; null: any number */
  readonly smsQuota: number | null;
  /** countries that text messages may go to, in addition to the business's own; null: any */
  readonly smsCountries: readonly string[] | null;
  /** twilio://SID:TOKEN@host?from=…; absent: text messages are kept like email */
  readonly sms: SmsSettings | undefined;
  /** the keys that seal values, newest first; none: the one in `dataDir` */
  readonly secretKeys: readonly Buffer[];
  /** a service that returns how often a password leaked, given five letters of its hash */
  readonly breachedPasswordsUrl: string | undefined;
  /** retention periods */
  readonly retention: Retention;
  /** internal address ranges that requests of businesses may go to, in addition to the public internet */
  readonly outboundAllow: readonly string[];
  readonly logLevel: string;
  readonly role: 'all' | 'server' | 'worker';
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function whole(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const n = Number(text);
  if (!Number.isInteger(n) || n < min || n > max)
    throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  return n;
}

function oneOf<V extends string>(env: NodeJS.ProcessEnv, name: string, values: readonly V[], fallback: V): V {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  if (!values.includes(text as V)) throw new Error(`${name} must be one of ${values.join(', ')}, not "${text}"`);
  return text as V;
}

/** Reads a number of months; null: forever, written as `never`. */
function months(
  env: NodeJS.ProcessEnv,
  name: string,
  { fallback, least }: { readonly fallback: number | null; readonly least: number },
): number | null {
  if (env[name] === 'never') return null;
  if (env[name] === undefined || env[name] === '') return fallback;
  try {
    return whole(env, name, 0, least, 1200);
  } catch {
    throw new Error(`${name} must be a whole number of months from ${least} to 1200, or never, not "${env[name]}"`);
  }
}

function words(env: NodeJS.ProcessEnv, name: string): string[] {
  const list = (env[name] ?? '')
    .split(',')
    .map((w) => w.trim())
    .filter(Boolean);
  for (const word of list)
    if (!/^[A-Za-z][A-Za-z0-9-]{0,39}$/.test(word))
      throw new Error(`${name} holds "${word}", which cannot be a prefix`);
  return list;
}

function url(env: NodeJS.ProcessEnv, name: string, protocols: readonly string[]): string | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  // Never the value: it may contain a password.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Error(`${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  return text;
}

function sender(env: NodeJS.ProcessEnv): string | undefined {
  const text = env.MAIL_FROM || undefined;
  if (text === undefined && env.SMTP_URL)
    throw new Error(
      'MAIL_FROM must be the address that mail is sent from, as "Harbour Lane <hello@example.org>", where SMTP_URL is set',
    );
  if (text !== undefined && !readSender(text))
    throw new Error(`MAIL_FROM must be an address such as "Harbour Lane <hello@example.org>", not "${text}"`);
  return text;
}

function bounces(env: NodeJS.ProcessEnv): string | undefined {
  const text = env.MAIL_BOUNCES || undefined;
  if (text !== undefined && (!isMailAddress(text) || text.includes('+')))
    throw new Error(`MAIL_BOUNCES must be a plain address without "+", such as bounces@example.org, not "${text}"`);
  return text;
}

/** Reads the number of proxies in front, one behind the other. */
function hops(env: NodeJS.ProcessEnv): number {
  const text = env.TRUST_PROXY || 'off';
  if (text === 'on' || text === 'off') return text === 'on' ? 1 : 0;
  if (!/^[1-9]$/.test(text))
    throw new Error(`TRUST_PROXY must be on, off, or how many proxies are in front (1 to 9), not "${text}"`);
  return Number(text);
}

/** Reads countries; empty: none; null: all. */
function countries(env: NodeJS.ProcessEnv): readonly string[] | null {
  const text = env.SMS_COUNTRIES?.trim() ?? '';
  if (text === '*') return null;
  const codes = text === '' ? [] : text.split(',').map((code) => code.trim().toUpperCase());
  if (codes.some((code) => !/^[A-Z]{2}$/.test(code)))
    throw new Error(`SMS_COUNTRIES must be country codes such as "CA,US", or "*" for all, not "${text}"`);
  return codes;
}

function sms(env: NodeJS.ProcessEnv): SmsSettings | undefined {
  if (!env.SMS_URL) return undefined;
  // Never the value: it contains the token.
  return (
    readSmsUrl(env.SMS_URL) ??
    fail('SMS_URL must be an address such as twilio://SID:TOKEN@api.twilio.com?from=+15550100')
  );
}

/** Reads all settings of the bucket or none: a partial bucket would leave files in two places. */
function bucket(env: NodeJS.ProcessEnv): BucketSettings | undefined {
  if (!together(env, ['BUCKET_URL', 'BUCKET_KEY_ID', 'BUCKET_SECRET'])) return undefined;
  return {
    url: bucketUrl(env, 'BUCKET_URL'),
    region: env.BUCKET_REGION || 'auto',
    keyId: env.BUCKET_KEY_ID!,
    secret: env.BUCKET_SECRET!,
  };
}

/** Reads all settings of the bucket for copies of backups, or none. */
function backupBucket(env: NodeJS.ProcessEnv): BucketSettings | undefined {
  if (!together(env, ['BACKUP_BUCKET_URL', 'BACKUP_BUCKET_KEY_ID', 'BACKUP_BUCKET_SECRET'])) return undefined;
  return {
    url: bucketUrl(env, 'BACKUP_BUCKET_URL'),
    region: env.BACKUP_BUCKET_REGION || 'auto',
    keyId: env.BACKUP_BUCKET_KEY_ID!,
    secret: env.BACKUP_BUCKET_SECRET!,
  };
}

function bucketUrl(env: NodeJS.ProcessEnv, name: string): string {
  const address = url(env, name, ['https:', 'http:'])!.replace(/\/+$/, '');
  if (!/^https?:\/\/[^/@]+\/[^/?#]+$/.test(address))
    throw new Error(
      `${name} must be the address of the service with the name of the bucket, such as https://s3.eu-central-1.amazonaws.com/my-bucket`,
    );
  return address;
}

/** Returns true if all of these are set, and false if none is. Throws if only some are. */
function together(env: NodeJS.ProcessEnv, names: readonly string[]): boolean {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0 && missing.length < names.length) {
    const set = names.filter((name) => env[name]);
    throw new Error(`${missing.join(' and ')} must be set where ${set.join(' and ')} is`);
  }
  return missing.length === 0;
}

function appleWallet(env: NodeJS.ProcessEnv): Config['appleWallet'] {
  if (!together(env, ['APPLE_WALLET_CERTIFICATE', 'APPLE_WALLET_KEY', 'APPLE_WALLET_INTERMEDIATE'])) return undefined;
  return {
    certificate: env.APPLE_WALLET_CERTIFICATE!,
    key: env.APPLE_WALLET_KEY!,
    intermediate: env.APPLE_WALLET_INTERMEDIATE!,
  };
}

const GOOGLE_WALLET = 'https://walletobjects.googleapis.com';

function googleWallet(env: NodeJS.ProcessEnv): Config['googleWallet'] {
  if (!together(env, ['GOOGLE_WALLET_ISSUER', 'GOOGLE_WALLET_KEY'])) return undefined;
  const issuer = env.GOOGLE_WALLET_ISSUER!;
  if (!/^\d{1,30}$/.test(issuer)) throw new Error(`GOOGLE_WALLET_ISSUER must be a number, not "${issuer}"`);
  return {
    issuer,
    key: env.GOOGLE_WALLET_KEY!,
    url: url(env, 'GOOGLE_WALLET_URL', ['https:', 'http:'])?.replace(/\/+$/, '') ?? GOOGLE_WALLET,
  };
}

function fail(message: string): never {
  throw new Error(message);
}

/** Returns the key that seals, followed by those that only open. */
function keys(env: NodeJS.ProcessEnv): Buffer[] {
  const listed = [
    env.SECRET_KEY || undefined,
    ...(env.SECRET_KEY_PREVIOUS ?? '')
      .split(',')
      .map((k) => k.trim())
      .filter(Boolean),
  ];
  if (listed[0] === undefined && listed.length > 1)
    throw new Error('SECRET_KEY must be set where SECRET_KEY_PREVIOUS is');
  return listed
    .filter((text) => text !== undefined)
    .map((text) => {
      const key = readKey(text);
      if (!key)
        throw new Error(
          'SECRET_KEY and SECRET_KEY_PREVIOUS must be at least 32 random bytes in base64 or hexadecimal, as of "openssl rand -base64 32"',
        );
      return key;
    });
}

function operationsPort(env: NodeJS.ProcessEnv): number | undefined {
  if (!env.OPERATIONS_PORT) return undefined;
  if (env.ROLE !== 'worker')
    throw new Error(
      'OPERATIONS_PORT is only for ROLE=worker: every other process answers /healthz, /readyz and /metrics on PORT',
    );
  return whole(env, 'OPERATIONS_PORT', 0, 0, 65_535);
}

function ranges(env: NodeJS.ProcessEnv, name: string): string[] {
  const list = (env[name] ?? '')
    .split(',')
    .map((r) => r.trim())
    .filter(Boolean);
  for (const range of list)
    if (!readRange(range))
      throw new Error(`${name} holds "${range}", which is not an address range such as 10.0.0.0/8 or fd00::/8`);
  return list;
}

/** Reads the environment. Throws an error that names the variable with an invalid value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return {
    host: env.HOST || '0.0.0.0',
    port: whole(env, 'PORT', 8080, 0, 65_535),
    operationsPort: operationsPort(env),
    databaseUrl: env.DATABASE_URL || undefined,
    ...readScaleConfig(env),
    dataDir: env.DATA_DIR || './data',
    bucket: bucket(env),
    dailyBackups: oneOf(env, 'DAILY_BACKUPS', ['on', 'off'], env.DATABASE_URL ? 'off' : 'on') === 'on',
    backupBucket: backupBucket(env),
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') || undefined,
    connections: whole(env, 'DATABASE_POOL', 8, 1, 100),
    rateLimit: oneOf(env, 'RATE_LIMIT', ['on', 'off'], 'on') === 'on',
    trustProxy: hops(env),
    aliases: {
      headers: ['service', ...words(env, 'HEADER_ALIASES').map((w) => w.toLowerCase())],
      credentials: ['Bearer', ...words(env, 'CREDENTIAL_ALIASES')],
    },
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: sender(env),
    smtpConnections: whole(env, 'SMTP_CONNECTIONS', 5, 1, 50),
    mailBounces: bounces(env),
    emailQuota: env.EMAIL_QUOTA ? whole(env, 'EMAIL_QUOTA', 0, 0, 1_000_000_000) : null,
    smsQuota: env.SMS_QUOTA ? whole(env, 'SMS_QUOTA', 0, 0, 1_000_000_000) : null,
    smsCountries: countries(env),
    sms: sms(env),
    appleWallet: appleWallet(env),
    googleWallet: googleWallet(env),
    secretKeys: keys(env),
    breachedPasswordsUrl: url(env, 'BREACHED_PASSWORDS_URL', ['https:', 'http:'])?.replace(/\/+$/, ''),
    retention: {
      auditMonths: months(env, 'AUDIT_RETENTION_MONTHS', { fallback: 24, least: 1 }),
      feedMonths: months(env, 'FEED_RETENTION_MONTHS', { fallback: null, least: 3 }),
    },
    outboundAllow: ranges(env, 'OUTBOUND_ALLOW'),
    logLevel: oneOf(env, 'LOG_LEVEL', LEVELS, 'info'),
    role: oneOf(env, 'ROLE', ['all', 'server', 'worker'], 'all'),
  };
}
