/** Values in DER (X.690), as far as certificates and signatures need it. Pure. */

export const TAG = {
  integer: 0x02,
  octets: 0x04,
  none: 0x05,
  id: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** the first of the numbered tags of a structure */
  numbered: 0xa0,
} as const;

const LONG = 0x80;

export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < LONG) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([LONG | bytes.length, ...bytes]);
}

/** Encodes an object identifier, written as `1.2.840.113549.1.7.2`. */
export function objectId(text: string): Buffer {
  const [first, second, ...rest] = text.split('.').map(Number);
  return der(TAG.id, Buffer.from([first * 40 + second, ...rest.flatMap(inSevens)]));
}

/** Returns seven bits per byte, the highest first; all bytes but the last are marked. */
function inSevens(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | LONG);
  return bytes;
}

/** Encodes a time, to the second. Times from 2050 on have another form (RFC 5652, 11.3). */
export function time(epochMs: number): Buffer {
  const text = `${new Date(epochMs).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return text < '2050' ? der(TAG.utcTime, Buffer.from(text.slice(2))) : der(TAG.generalizedTime, Buffer.from(text));
}

interface Element {
  readonly tag: number;
  /** with its tag and length */
  readonly whole: Buffer;
  readonly body: Buffer;
}

/**
 * Returns the consecutive values in these bytes.
 * @throws RangeError if they are truncated
 */
export function elements(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const long = bytes.readUInt8(at + 1);
    const more = long < LONG ? 0 : long - LONG;
    const begin = at + 2 + more;
    const length = more === 0 ? long : bytes.readUIntBE(at + 2, more);
    if (begin + length > bytes.length) throw new RangeError('the value ends too early');
    const end = begin + length;
    found.push({ tag: bytes[at], whole: bytes.subarray(at, end), body: bytes.subarray(begin, end) });
    at = end;
  }
  return found;
}
