/** The keys that sign passes for Apple Wallet, from the files that the operator got from Apple. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Signer } from './signature.ts';

/** The files of a certificate, its key, and Apple's certificate that issued it. */
export interface AppleSettings {
  readonly certificate: string;
  readonly key: string;
  readonly intermediate: string;
}

export interface AppleKeys extends Signer {
  /** `pass.com.example.rollcall`: the certificate is valid for passes of this type only */
  readonly passType: string;
  /** id of the developer team */
  readonly team: string;
  /** epoch ms */
  readonly endsAt: number;
}

const NAMES = {
  certificate: 'APPLE_WALLET_CERTIFICATE',
  key: 'APPLE_WALLET_KEY',
  intermediate: 'APPLE_WALLET_INTERMEDIATE',
} as const;

/**
 * Reads the files.
 * @throws Error that names the setting and its remedy, but never the content of the file
 */
export function readAppleKeys(settings: AppleSettings): AppleKeys {
  const certificate = certificateIn('certificate', settings);
  const issuer = certificateIn('intermediate', settings);
  const key = keyIn(settings);
  const { UID: passType, OU: team } = certificate.toLegacyObject().subject as unknown as Record<string, unknown>;
  if (typeof passType !== 'string' || !passType.startsWith('pass.') || typeof team !== 'string')
    throw wrong(
      'certificate',
      'is not a certificate for a pass type',
      'use the one that Apple issued for the Pass Type ID',
    );
  if (!certificate.checkPrivateKey(key))
    throw wrong('key', 'does not belong to the certificate', 'use the key that the certificate was requested with');
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
    throw wrong(
      'intermediate',
      'did not issue the certificate',
      `download the one whose name is in the certificate (${issuerName(certificate)}) from https://www.apple.com/certificateauthority/`,
    );
  return { certificate, issuer, key, passType, team, endsAt: certificate.validToDate.getTime() };
}

const issuerName = (certificate: X509Certificate): string => certificate.issuer.split('\n').join(', ');

const wrong = (what: keyof AppleSettings, is: string, remedy: string): Error =>
  new Error(`The file of ${NAMES[what]} ${is}. Remedy: ${remedy}, or unset ${Object.values(NAMES).join(', ')}.`);

function bytesOf(what: keyof AppleSettings, settings: AppleSettings): Buffer {
  try {
    return readFileSync(settings[what]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(what, `can’t be read (${code})`, `give this account access to ${settings[what]}`);
  }
}

/** Reads a certificate in Apple's download format (DER), or as text (PEM). */
function certificateIn(what: 'certificate' | 'intermediate', settings: AppleSettings): X509Certificate {
  const bytes = bytesOf(what, settings);
  try {
    return new X509Certificate(bytes);
  } catch {
    throw wrong(what, 'is not a certificate', 'use the file as Apple offers it for download (.cer), or in PEM');
  }
}

function keyIn(settings: AppleSettings): KeyObject {
  const bytes = bytesOf('key', settings);
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(bytes);
  } catch {
    // reported below, like a key of another kind
  }
  if (key?.asymmetricKeyType !== 'rsa')
    throw wrong('key', 'is not an RSA key in PEM without a password', 'export it as PEM without a password');
  return key;
}
