/**
 * Reading of a pass as a phone does, independently of the code that creates it; it refuses what a phone would refuse.
 */
import assert from 'node:assert/strict';
import { hash, verify, X509Certificate } from 'node:crypto';
import { AsnArray, AsnConvert, AsnType, AsnTypeTypes, OctetString } from '@peculiar/asn1-schema';
import { Attribute, ContentInfo, id_data, id_signedData, SignedData } from '@peculiar/asn1-cms';
import { filesIn } from '../../../../test/outside/read-workbook.ts';

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SHA_256 = '2.16.840.1.101.3.4.2.1';

class SignedAttributes extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(SignedAttributes);

export interface ReadPass {
  readonly pass: any;
  readonly files: ReadonlyMap<string, Buffer>;
  /** by language */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** @throws AssertionError for a pass that a phone refuses, which trusts only the root */
export function verifyPass(file: Buffer, root: X509Certificate): ReadPass {
  const files = filesIn(file);
  const manifestBytes = files.get('manifest.json')!;
  const manifest = JSON.parse(manifestBytes.toString());
  const listed = [...files].filter(([name]) => !['manifest.json', 'signature'].includes(name));
  assert.deepEqual(manifest, Object.fromEntries(listed.map(([name, bytes]) => [name, hash('sha1', bytes)])));
  const pass = JSON.parse(files.get('pass.json')!.toString());
  const signer = checkSignature(manifestBytes, files.get('signature')!, root);
  // Phones accept a pass only with the certificate of its own type and team.
  const { UID, OU } = signer.toLegacyObject().subject as unknown as Record<string, string>;
  assert.deepEqual([pass.passTypeIdentifier, pass.teamIdentifier], [UID, OU]);
  for (const name of ['icon.png', 'icon@2x.png', 'icon@3x.png', 'logo.png'])
    assert.equal(files.get(name)?.toString('latin1', 1, 4), 'PNG', name);
  return { pass, files, texts: textsIn(files) };
}

/** Returns the certificate of the signer. */
function checkSignature(content: Buffer, signature: Buffer, root: X509Certificate): X509Certificate {
  const outer = AsnConvert.parse(signature, ContentInfo);
  assert.equal(outer.contentType, id_signedData);
  const signed = AsnConvert.parse(outer.content, SignedData);
  assert.equal(signed.encapContentInfo.eContentType, id_data);
  assert.equal(signed.encapContentInfo.eContent, undefined, 'the signature is detached');
  const [info, ...others] = signed.signerInfos;
  assert.equal(others.length, 0);
  assert.equal(info.digestAlgorithm.algorithm, SHA_256);
  const certificates = [...signed.certificates!].map(
    ({ certificate }) => new X509Certificate(Buffer.from(AsnConvert.serialize(certificate!))),
  );
  const number = Buffer.from(info.sid.issuerAndSerialNumber!.serialNumber).toString('hex').replace(/^0+/, '');
  const leaf = certificates.find(({ serialNumber }) => serialNumber.toLowerCase().replace(/^0+/, '') === number);
  assert.ok(leaf, 'the certificate of the signature comes along');
  const above = certificates.find((one) => leaf.checkIssued(one));
  assert.ok(above && leaf.verify(above.publicKey), 'and the one that issued it');
  assert.ok(above.checkIssued(root) && above.verify(root.publicKey), 'which leads to the root');
  const attributes = new Map(
    info.signedAttrs!.map(({ attrType, attrValues }) => [attrType, Buffer.from(attrValues[0])]),
  );
  assert.ok(attributes.has(CONTENT_TYPE) && attributes.has(SIGNING_TIME));
  const digest = AsnConvert.parse(attributes.get(MESSAGE_DIGEST)!, OctetString);
  assert.deepEqual(Buffer.from(digest.buffer), hash('sha256', content, 'buffer'));
  // The signature covers the attributes with the tag of a set, not with the implicit tag that they are sent with.
  const set = Buffer.from(AsnConvert.serialize(new SignedAttributes([...info.signedAttrs!])));
  assert.ok(verify('sha256', set, leaf.publicKey, Buffer.from(info.signature.buffer)), 'the signature holds');
  return leaf;
}

function textsIn(files: ReadonlyMap<string, Buffer>): ReadPass['texts'] {
  const texts: Record<string, Record<string, string>> = {};
  for (const [name, bytes] of files) {
    const [, language] = /^(\w+)\.lproj\/pass\.strings$/.exec(name) ?? [];
    if (language)
      texts[language] = Object.fromEntries(
        [...bytes.toString().matchAll(/^("(?:[^"\\]|\\.)*") = ("(?:[^"\\]|\\.)*");$/gm)].map(([, key, text]) => [
          JSON.parse(key),
          JSON.parse(text),
        ]),
      );
  }
  return texts;
}
