/**
 * A detached signature (CMS SignedData, RFC 5652) by an RSA key, with which Apple Wallet verifies a pass. It contains
 * the certificate and its issuer's, so a phone needs only Apple's root.
 */
import { hash, sign, type KeyObject, type X509Certificate } from 'node:crypto';
import { der, elements, objectId, TAG, time } from './der.ts';

export interface Signer {
  readonly certificate: X509Certificate;
  /** the certificate that issued it */
  readonly issuer: X509Certificate;
  readonly key: KeyObject;
}

const DATA = objectId('1.2.840.113549.1.7.1');
const SIGNED_DATA = objectId('1.2.840.113549.1.7.2');
const CONTENT_TYPE = objectId('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = objectId('1.2.840.113549.1.9.4');
const SIGNING_TIME = objectId('1.2.840.113549.1.9.5');

const none = der(TAG.none);
const SHA_256 = der(TAG.sequence, objectId('2.16.840.1.101.3.4.2.1'), none);
const RSA = der(TAG.sequence, objectId('1.2.840.113549.1.1.1'), none);
const VERSION = der(TAG.integer, Buffer.from([1]));

const attribute = (type: Buffer, value: Buffer): Buffer => der(TAG.sequence, type, der(TAG.set, value));

/** Returns the signature. `now`: time of signing, epoch ms. */
export function signatureOf(content: Buffer, { certificate, issuer, key }: Signer, now: number): Buffer {
  // DER sorts the elements of a set by their bytes.
  const attributes = [
    attribute(CONTENT_TYPE, DATA),
    attribute(SIGNING_TIME, time(now)),
    attribute(MESSAGE_DIGEST, der(TAG.octets, hash('sha256', content, 'buffer'))),
  ].toSorted(Buffer.compare);
  // Signed with the tag of a set, but sent with the numbered tag that the structure has there (RFC 5652, 5.4).
  const signed = sign('sha256', der(TAG.set, ...attributes), key);
  const signer = der(
    TAG.sequence,
    VERSION,
    nameOf(certificate),
    SHA_256,
    der(TAG.numbered, ...attributes),
    RSA,
    der(TAG.octets, signed),
  );
  const certificates = [certificate.raw, issuer.raw].toSorted(Buffer.compare);
  return der(
    TAG.sequence,
    SIGNED_DATA,
    der(
      TAG.numbered,
      der(
        TAG.sequence,
        VERSION,
        der(TAG.set, SHA_256),
        der(TAG.sequence, DATA),
        der(TAG.numbered, ...certificates),
        der(TAG.set, signer),
      ),
    ),
  );
}

/** Returns how a signature identifies its certificate: by its issuer and serial number. */
function nameOf({ raw }: X509Certificate): Buffer {
  const [{ body }] = elements(raw);
  const [content] = elements(body);
  // A version other than the first precedes it, under a numbered tag.
  const parts = elements(content.body).filter(({ tag }) => tag !== TAG.numbered);
  const [serial, , issuer] = parts;
  return der(TAG.sequence, issuer.whole, serial.whole);
}
