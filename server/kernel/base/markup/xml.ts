/**
 * JSON-like data as XML text, without loss.
 *
 * One `<root>`; an element per key; list entries are `<list-item>`; null is the bare empty element `<a/>`; true/false
 * and numbers as in JSON. Empty values that are not null have a type: `<a type="string"/>`, `<a type="list"/>`, `<a
 * type="object"/>`.
 *
 * Two kinds of characters that XML 1.0 cannot contain are written `_xHHHH_` (a UTF-16 code unit, four upper-case
 * hexadecimal digits):
 * - in text: control characters, U+FFFE, U+FFFF and lone surrogates, which may not appear in a document even as a
 *   character reference;
 * - in element names: everything other than an ASCII letter, digit, `_`, `-` or `.`, a first character that cannot
 *   begin a name, the `xml` prefix that the standard reserves, a key called `list-item`, and three keys that many
 *   readers refuse (see `REFUSED_BY_READERS`). An underscore that could be read as the beginning of such an escape is
 *   itself written `_x005F_`, so reading replaces every `_xHHHH_` from left to right and nothing else. The empty key is
 *   the element `<_x_>`. Keys of this API need none of this.
 */

/** Deeper data is refused, so that neither this recursion nor that of a reader overflows its stack. */
export const MAX_XML_DEPTH = 64;

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';

/** Cheap test, true for almost no text. It matches any surrogate; the slower replacement then keeps the pairs. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const NEEDS_ESCAPE = /[&<>\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\uD800-\uDFFF]|_x[0-9A-F]{4}/;
// With the u flag a surrogate range matches lone surrogates only.
// oxlint-disable-next-line no-control-regex
const ESCAPED = /[&<>\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\uD800-\uDFFF]|_(?=x[0-9A-F]{4})/gu;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const RESERVED_PREFIX = /^xml/i;
/** Some readers, which turn elements into object properties, refuse the whole document for one of these. */
const REFUSED_BY_READERS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Prints `value` as an XML document. Objects follow JSON.stringify: `toJSON` is honoured, undefined and functions are
 * left out (null in a list), a number that is not finite is null. Throws RangeError beyond `MAX_XML_DEPTH` levels,
 * TypeError for a bigint.
 */
export function printXml(value: unknown): string {
  return DECLARATION + element('root', value, '', 0);
}

function element(name: string, value: unknown, key: string, depth: number): string {
  switch (typeof value) {
    case 'string':
      return value === ''
        ? `<${name} type="string"/>`
        : `<${name}>${NEEDS_ESCAPE.test(value) ? escapeText(value) : value}</${name}>`;
    case 'number':
      return Number.isFinite(value) ? `<${name}>${value}</${name}>` : `<${name}/>`;
    case 'boolean':
      return value ? `<${name}>true</${name}>` : `<${name}>false</${name}>`;
    case 'bigint':
      throw new TypeError('a bigint has no JSON form');
    case 'object':
      return value === null ? `<${name}/>` : composite(name, value, key, depth);
    default:
      return `<${name}/>`;
  }
}

function composite(name: string, value: object, key: string, depth: number): string {
  if (depth >= MAX_XML_DEPTH) throw new RangeError(`data is nested deeper than ${MAX_XML_DEPTH} levels`);
  if ('toJSON' in value && typeof value.toJSON === 'function') return element(name, value.toJSON(key), key, depth + 1);
  return Array.isArray(value) ? list(name, value, depth) : object(name, value as Record<string, unknown>, depth);
}

function list(name: string, entries: readonly unknown[], depth: number): string {
  if (entries.length === 0) return `<${name} type="list"/>`;
  let text = `<${name}>`;
  for (let i = 0; i < entries.length; i++) text += element('list-item', entries[i], String(i), depth + 1);
  return `${text}</${name}>`;
}

function object(name: string, properties: Record<string, unknown>, depth: number): string {
  let text = '';
  for (const key of Object.keys(properties)) {
    const value = properties[key];
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    text += element(elementName(key), value, key, depth + 1);
  }
  return text === '' ? `<${name} type="object"/>` : `<${name}>${text}</${name}>`;
}

function escapeText(text: string): string {
  return text.replace(ESCAPED, (character) => {
    switch (character) {
      case '&':
        return '&amp;';
      case '<':
        return '&lt;';
      case '>':
        return '&gt;';
      case '\r':
        return '&#13;'; // written literally, every reader would turn it into \n
      default:
        return escapeUnit(character);
    }
  });
}

function escapeUnit(unit: string): string {
  return `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

const names = new Map<string, string>();
/** The API has few keys; the limit is for objects with keys that callers send. */
const REMEMBERED_NAMES = 4096;

function elementName(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = nameOf(key);
  if (names.size < REMEMBERED_NAMES) names.set(key, name);
  return name;
}

function nameOf(key: string): string {
  if (key === '') return '_x_';
  if (key === '_x_') return '_x005F_x_';
  if (key === 'list-item') return 'list_x002D_item';
  const unambiguous = key.replace(/_(?=x[0-9A-F]{4})/g, '_x005F_');
  if (PLAIN_NAME.test(key) && !RESERVED_PREFIX.test(key) && !REFUSED_BY_READERS.has(key)) return unambiguous;
  // Without the u flag, a surrogate pair becomes two escapes, which read back as the same pair.
  const allowed = unambiguous.replace(/[^A-Za-z0-9_.-]/g, escapeUnit);
  const beginsName = /^[A-Za-z_]/.test(allowed) && !RESERVED_PREFIX.test(key) && !REFUSED_BY_READERS.has(key);
  return beginsName ? allowed : escapeUnit(allowed) + allowed.slice(1);
}
