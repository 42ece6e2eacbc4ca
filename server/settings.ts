/**
 * All settings of the service. The table in docs/operations.md is generated from them. `config.ts` reads them; the wing
 * for several processes or cells declares and reads its own.
 */
import { CELL_SETTING, REPLICA_SETTING } from './scale/settings.ts';
import type { Setting } from './kernel/base/setting.ts';

export const SETTINGS: readonly Setting[] = [
  // Service
  {
    names: ['PORT'],
    default: '8080',
    text: 'port to listen on; `0` picks a free one',
  },
  {
    names: ['HOST'],
    default: '0.0.0.0',
    text: 'address to listen on',
  },
  {
    names: ['PUBLIC_URL'],
    default: null,
    text: 'the public address of the service, for example `https://book.example.org`: links in mail start with it, cookies are bound to it, and tokens name it as their issuer. Without it, these use `http://localhost:PORT`, which other machines cannot reach, and the service logs a warning when it starts; pages and addresses in responses keep the name that the caller used',
  },
  {
    names: ['TRUST_PROXY'],
    default: 'off',
    text: '`on`: trust the `X-Forwarded-*` headers of the proxy in front of the service; a number, if several proxies are one behind the other',
  },
  {
    names: ['ROLE'],
    default: 'all',
    text: '`server`: HTTP only; `worker`: jobs only',
  },
  {
    names: ['OPERATIONS_PORT'],
    default: null,
    text: 'port on which a worker (`ROLE=worker`) answers `/healthz`, `/readyz` and `/metrics`, and nothing else; without it, a worker opens no port; other roles refuse it',
  },
  {
    names: ['LOG_LEVEL'],
    default: 'info',
    text: '`trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`',
  },
  {
    names: ['RATE_LIMIT'],
    default: 'on',
    text: '`off`: no limits, for benchmarks',
  },
  {
    names: ['OUTBOUND_ALLOW'],
    default: null,
    text: 'comma-separated list of internal address ranges, for example `10.0.0.0/8,127.0.0.1/32`, that webhooks can be sent to and calendars can be read from in addition to the public internet, also over `http://`',
  },
  // Data
  {
    names: ['DATA_DIR'],
    default: './data',
    text: 'folder for the embedded PostgreSQL, images and other files, the secret key, and the demo credentials',
  },
  {
    names: ['DATABASE_URL'],
    default: null,
    text: 'an external PostgreSQL 15 or newer to use instead of the embedded one; several hosts (`a,b:5433`) for a primary and its standbys: Rollcall uses the one that accepts writes and follows a failover',
  },
  {
    names: ['DATABASE_POOL'],
    default: '8',
    text: 'connections to the database, 1 to 100; two to four times the number of cores works best',
  },
  REPLICA_SETTING,
  CELL_SETTING,
  {
    names: ['BUCKET_URL'],
    default: null,
    text: 'a bucket that keeps images and other files instead of `DATA_DIR`: the address of an S3-compatible service with the name of the bucket, for example `https://s3.eu-central-1.amazonaws.com/my-bucket`; see [operations](#images)',
  },
  {
    names: ['BUCKET_REGION'],
    default: 'auto',
    text: 'the region of the bucket',
  },
  {
    names: ['BUCKET_KEY_ID'],
    default: null,
    text: 'who may read and write the bucket; required with `BUCKET_URL`',
  },
  {
    names: ['BUCKET_SECRET'],
    default: null,
    text: 'the secret of that key, which is never logged; required with `BUCKET_URL`',
  },
  {
    names: ['DAILY_BACKUPS'],
    default: 'on',
    text: '`off`: the service makes no [daily backups](#daily-backups). With `DATABASE_URL`, they are off unless this is `on`',
  },
  {
    names: ['BACKUP_BUCKET_URL'],
    default: null,
    text: 'another bucket, away from this machine, that gets an encrypted copy of every daily backup and of the images',
  },
  {
    names: ['BACKUP_BUCKET_REGION'],
    default: 'auto',
    text: 'the region of that bucket',
  },
  {
    names: ['BACKUP_BUCKET_KEY_ID'],
    default: null,
    text: 'who may read, write, list and delete in that bucket; required with `BACKUP_BUCKET_URL`',
  },
  {
    names: ['BACKUP_BUCKET_SECRET'],
    default: null,
    text: 'the secret of that key, which is never logged; required with `BACKUP_BUCKET_URL`',
  },
  {
    names: ['AUDIT_RETENTION_MONTHS'],
    default: '24',
    text: 'whole months that audit entries are kept, besides the current one; `never` removes none; see [Retention](#retention)',
  },
  {
    names: ['FEED_RETENTION_MONTHS'],
    default: 'never',
    text: 'the same for feed items, at least 3',
  },
  // Secrets
  {
    names: ['SECRET_KEY'],
    default: null,
    text: 'encrypts stored secrets that must be read back, such as second factors: 32 random bytes or more (`openssl rand -base64 32`); without it, the service uses the file `secret.key` in `DATA_DIR`, created on the first start. Keep a copy apart from the backups',
  },
  {
    names: ['SECRET_KEY_PREVIOUS'],
    default: null,
    text: 'comma-separated list of earlier keys, which still decrypt what they encrypted',
  },
  {
    names: ['BREACHED_PASSWORDS_URL'],
    default: null,
    text: 'a service to ask whether a new password has leaked, using the first five characters of its hash, for example `https://api.pwnedpasswords.com/range`',
  },
  // Mail and text messages
  {
    names: ['SMTP_URL'],
    default: null,
    text: 'the mail server, for example `smtps://user:password@mail.example.org`; without it, mail is kept for a week, see `rollcall mail list`',
  },
  {
    names: ['MAIL_FROM'],
    default: null,
    text: 'the address that mail is sent from, for example `Harbour Lane <hello@example.org>`; required with `SMTP_URL`',
  },
  {
    names: ['MAIL_BOUNCES'],
    default: null,
    text: 'a mailbox for reports of mail that could not be delivered, for example `bounces@example.org`; each message adds `+` and a token to it, see [operations](#messages)',
  },
  {
    names: ['SMTP_CONNECTIONS'],
    default: '5',
    text: 'how many messages are handed to the mail server at the same time',
  },
  {
    names: ['EMAIL_QUOTA'],
    default: null,
    text: 'how many emails a business can send per month as [broadcasts](guide/broadcasts.md), invitations and workflow emails; without it, there is no limit',
  },
  {
    names: ['SMS_URL'],
    default: null,
    text: 'the SMS service, for example `twilio://SID:TOKEN@api.twilio.com?from=+15550100`; without it, text messages are kept in the same way as mail',
  },
  {
    names: ['SMS_COUNTRIES'],
    default: null,
    text: 'countries that text messages go to besides that of the business, for example `CA,US`; `*` for all',
  },
  {
    names: ['SMS_QUOTA'],
    default: null,
    text: 'how many text messages of any kind a business can send per month; without it, there is no limit',
  },
  // Wallets
  {
    names: ['APPLE_WALLET_CERTIFICATE'],
    default: null,
    text: 'the file of the certificate that passes for Apple Wallet are signed with, as Apple offers it for download; see [passes](guide/wallet-passes.md#apple-wallet)',
  },
  {
    names: ['APPLE_WALLET_KEY'],
    default: null,
    text: 'the file of its key, in PEM without a password; required with the certificate',
  },
  {
    names: ['APPLE_WALLET_INTERMEDIATE'],
    default: null,
    text: "the file of Apple's certificate by which it was issued; required with the certificate",
  },
  {
    names: ['GOOGLE_WALLET_ISSUER'],
    default: null,
    text: 'the issuer ID at Google Wallet; see [passes](guide/wallet-passes.md#google-wallet)',
  },
  {
    names: ['GOOGLE_WALLET_KEY'],
    default: null,
    text: 'the file of the key of a service account in JSON; required with the issuer',
  },
  {
    names: ['GOOGLE_WALLET_URL'],
    default: 'https://walletobjects.googleapis.com',
    text: "the address of Google's interface, if it is another one, for tests",
  },
  // Integrations
  {
    names: ['HEADER_ALIASES'],
    default: null,
    text: 'comma-separated list of additional words for the `Service` in `Service-Provider-ID`, `Service-Request-Mode` and, in webhooks, `Service-Webhook-ID`',
  },
  {
    names: ['CREDENTIAL_ALIASES'],
    default: null,
    text: 'comma-separated list of additional words for the `Bearer` in `Authorization`',
  },
];

/** Returns the table of all settings in Markdown. */
export function settingsTable(): string {
  const rows = SETTINGS.map(
    (one) =>
      `| ${one.names.map((name) => `\`${name}\``).join(', ')} | ${one.default === null ? 'none' : `\`${one.default}\``} | ${one.text} |`,
  );
  return ['| variable | default | what it sets |', '| --- | --- | --- |', ...rows].join('\n');
}
