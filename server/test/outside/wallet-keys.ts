/**
 * Certificates like those that Apple issues, from an authority of the test: a root, an intermediate, and one for a pass
 * type.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webcrypto, X509Certificate } from 'node:crypto';
// required before the next import is loaded
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { atEnd } from '../ending.ts';
import { START } from '../clock.ts';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const DAY_MS = 86_400_000;

export const PASS_TYPE = 'pass.com.example.rollcall';
export const TEAM = 'A1B2C3D4E5';

const keyPair = (): Promise<webcrypto.CryptoKeyPair> => crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);

interface Authority {
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly certificate: x509.X509Certificate;
}

let serial = 1000;

async function issue(
  subject: string,
  by: Pick<Authority, 'name' | 'keys'> | null,
  { from, to, isAuthority }: { from: number; to: number; isAuthority: boolean },
): Promise<Authority> {
  const keys = await keyPair();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: (++serial).toString(16).padStart(8, '0'),
    subject,
    issuer: by?.name ?? subject,
    notBefore: new Date(from),
    notAfter: new Date(to),
    publicKey: keys.publicKey,
    signingKey: (by ?? { keys }).keys.privateKey,
    signingAlgorithm: RSA,
    extensions: [new x509.BasicConstraintsExtension(isAuthority, undefined, true)],
  });
  return { name: subject, keys, certificate };
}

const pem = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> => {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey));
  const lines = bytes.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
};

export interface AppleFiles {
  /** settings of the service */
  readonly env: Record<'APPLE_WALLET_CERTIFICATE' | 'APPLE_WALLET_KEY' | 'APPLE_WALLET_INTERMEDIATE', string>;
  readonly root: X509Certificate;
  readonly folder: string;
}

export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-passes-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Creates the files that an operator has; the certificate for the pass type is valid until `endsAt`, in epoch
 * milliseconds.
 */
export async function appleFiles({
  endsAt = START + 300 * DAY_MS,
  subject = `0.9.2342.19200300.100.1.1=${PASS_TYPE}, CN=Pass Type ID: ${PASS_TYPE}, OU=${TEAM}, O=Harbour Ltd, C=CA`,
}: { endsAt?: number; subject?: string } = {}): Promise<AppleFiles> {
  const folder = testFolder();
  const from = Math.min(START, endsAt) - 30 * DAY_MS;
  const long = { from, to: START + 3000 * DAY_MS, isAuthority: true };
  const root = await issue('CN=Test Root CA, O=Test', null, long);
  const below = await issue('CN=Test Developer Relations CA, OU=G4, O=Test', root, long);
  const leaf = await issue(subject, below, { from, to: endsAt, isAuthority: false });
  const env = {
    APPLE_WALLET_CERTIFICATE: join(folder, 'pass.cer'),
    APPLE_WALLET_KEY: join(folder, 'pass.key'),
    APPLE_WALLET_INTERMEDIATE: join(folder, 'intermediate.cer'),
  };
  writeFileSync(env.APPLE_WALLET_CERTIFICATE, Buffer.from(leaf.certificate.rawData));
  writeFileSync(env.APPLE_WALLET_KEY, await pem(leaf.keys));
  writeFileSync(env.APPLE_WALLET_INTERMEDIATE, below.certificate.toString('pem'));
  return { env, root: new X509Certificate(Buffer.from(root.certificate.rawData)), folder };
}

/** Creates the key of a service account, in the form that Google Cloud offers for download, and its public key. */
export async function googleFile(tokenUrl: string): Promise<{ file: string; publicKey: CryptoKey }> {
  const keys = await keyPair();
  const file = join(testFolder(), 'google.json');
  const account = {
    type: 'service_account',
    client_email: 'wallet@example.iam.gserviceaccount.com',
    private_key_id: 'a1',
    private_key: await pem(keys),
    token_uri: tokenUrl,
  };
  writeFileSync(file, JSON.stringify(account));
  return { file, publicKey: keys.publicKey };
}
