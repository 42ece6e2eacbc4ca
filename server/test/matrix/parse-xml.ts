import { XMLParser } from 'fast-xml-parser';

/** The part of JSON Schema that is needed to read a printed document back. */
export interface JsonSchemaLike {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchemaLike>>;
  required?: readonly string[];
  items?: JsonSchemaLike;
  additionalProperties?: boolean | JsonSchemaLike;
  anyOf?: readonly JsonSchemaLike[];
  oneOf?: readonly JsonSchemaLike[];
  const?: unknown;
  enum?: readonly unknown[];
}

interface Node {
  name: string;
  /** The `type` attribute: the type of an empty element that is not null. */
  empty?: string;
  children: Node[];
  text: string;
}

/** A wrapped value, because null is a value and `undefined` means no match. */
type Fit = { value: unknown } | undefined;

const MAX_DEPTH = 70;
const ALL_TYPES = ['null', 'object', 'array', 'string'];

const reader = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  trimValues: false,
  parseTagValue: false,
  htmlEntities: true,
  maxNestedTags: MAX_DEPTH,
  onDangerousProperty: (name) => name,
  processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
});

/**
 * Reads a document of `printXml` back. `like` decides the type of a text: types are tried in order, and the first match
 * of `anyOf`/`oneOf` is used. Without a type, the structure decides between object and list, and every text stays a
 * string. Throws if the document is not one of ours or does not match `like`.
 */
export function parseXml(text: string, like: JsonSchemaLike = {}): unknown {
  const roots = (reader.parse(text) as RawElement[]).map(nodeOf);
  if (roots.length !== 1 || roots[0].name !== 'root') throw new Error('the document is not one <root>');
  const fit = read(roots[0], like);
  if (!fit) throw new Error(`the document does not fit its schema: ${text.slice(0, 300)}`);
  return fit.value;
}

type RawElement = Record<string, unknown>;

function nodeOf(raw: RawElement): Node {
  const name = Object.keys(raw).find((key) => key !== ':@')!;
  const attributes = raw[':@'] as Record<string, string> | undefined;
  const content = raw[name] as RawElement[];
  const text = content.map((part) => (part['#text'] as string | undefined) ?? '').join('');
  const children = content.filter((part) => !('#text' in part)).map(nodeOf);
  if (children.length > 0 && text !== '') throw new Error(`<${name}> mixes text with elements`);
  return { name, empty: attributes?.type, children, text };
}

function read(node: Node, like: JsonSchemaLike): Fit {
  for (const choice of like.anyOf ?? like.oneOf ?? []) {
    const fit = read(node, choice);
    if (fit) return fit;
  }
  if (like.anyOf ?? like.oneOf) return undefined;
  const types = like.type === undefined ? ALL_TYPES : [like.type].flat();
  for (const type of types) {
    const fit = readAs(type as string, node, like);
    if (fit && isAllowed(fit.value, like)) return fit;
  }
  return undefined;
}

function isAllowed(value: unknown, like: JsonSchemaLike): boolean {
  return (like.const === undefined || like.const === value) && (like.enum === undefined || like.enum.includes(value));
}

function readAs(type: string, node: Node, like: JsonSchemaLike): Fit {
  const bare = node.children.length === 0 && node.text === '';
  const leaf = node.children.length === 0 && !bare;
  switch (type) {
    case 'null':
      return bare && node.empty === undefined ? { value: null } : undefined;
    case 'string':
      if (bare) return node.empty === 'string' ? { value: '' } : undefined;
      return leaf ? { value: unescape(node.text) } : undefined;
    case 'boolean':
      return leaf && (node.text === 'true' || node.text === 'false') ? { value: node.text === 'true' } : undefined;
    case 'number':
    case 'integer':
      return leaf ? readNumber(node.text, type === 'integer') : undefined;
    case 'array':
      return readList(node, bare, like.items ?? {});
    case 'object':
      return readObject(node, bare, like);
    default:
      throw new Error(`unknown schema type ${type}`);
  }
}

function readNumber(text: string, whole: boolean): Fit {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return whole && !Number.isInteger(value) ? undefined : { value };
}

function readList(node: Node, bare: boolean, items: JsonSchemaLike): Fit {
  if (bare) return node.empty === 'list' ? { value: [] } : undefined;
  if (node.text !== '' || node.children.some((child) => child.name !== 'list-item')) return undefined;
  const fits = node.children.map((child) => read(child, items));
  return fits.every((fit) => fit !== undefined) ? { value: fits.map((fit) => fit.value) } : undefined;
}

function readObject(node: Node, bare: boolean, like: JsonSchemaLike): Fit {
  if (bare ? node.empty !== 'object' : node.text !== '' || node.children.some((child) => child.name === 'list-item'))
    return undefined;
  const entries: [string, unknown][] = [];
  for (const child of node.children) {
    const key = child.name === '_x_' ? '' : unescape(child.name);
    const fit = readProperty(key, child, like);
    if (!fit) return undefined;
    entries.push([key, fit.value]);
  }
  const value = Object.fromEntries(entries);
  if (Object.keys(value).length !== entries.length) throw new Error(`<${node.name}> repeats a property`);
  return (like.required ?? []).every((key) => Object.hasOwn(value, key)) ? { value } : undefined;
}

function readProperty(key: string, child: Node, like: JsonSchemaLike): Fit {
  if (like.properties && Object.hasOwn(like.properties, key)) return read(child, like.properties[key]);
  const additional = like.additionalProperties ?? true;
  return additional === false ? undefined : read(child, additional === true ? {} : additional);
}

/** Decodes the one escape of the printer: a UTF-16 code unit as `_xHHHH_`. */
function unescape(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
