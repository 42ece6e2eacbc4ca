/**
 * A page as people meet it, without a browser: parsed as browsers do, with its elements by role, name, label and text,
 * and with what is visible. Styles are not applied: page-visitor.ts refuses styles that would hide something or change
 * a text.
 */
import { parse, serialize } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { compile, is, selectAll } from 'css-select';
import { isTag, isText, type AnyNode, type Document, type Element, type ParentNode } from 'domhandler';

export type { Document, Element };

/** Scripts are off, so the content of `noscript` is part of the page. */
export const parsePage = (html: string): Document => parse(html, { treeAdapter: adapter, scriptingEnabled: false });
export const htmlOf = (document: Document): string => serialize(document, { treeAdapter: adapter });

type Selecting = (element: Element) => boolean;

/** There are few selectors, and they are used often. Attributes change, so no result is cached. */
const compiled = new Map<string, Selecting>();

function queryOf(selector: string): Selecting {
  const query: Selecting = compiled.get(selector) ?? compile<AnyNode, Element>(selector, { cacheResults: false });
  compiled.set(selector, query);
  return query;
}

export const all = (selector: string, within: ParentNode): Element[] =>
  selectAll<AnyNode, Element>(queryOf(selector), within);
export const matches = (element: Element, selector: string): boolean =>
  is<AnyNode, Element>(element, queryOf(selector));

export function* ancestors(node: AnyNode): Generator<Element> {
  for (let one = node.parent; one && isTag(one); one = one.parent) yield one;
}

/** Returns the nearest matching element: the element itself or an ancestor. */
export function closest(element: Element, selector: string): Element | undefined {
  for (const one of [element, ...ancestors(element)]) if (matches(one, selector)) return one;
  return undefined;
}

export const inDocument = (node: AnyNode): Document => {
  let top: AnyNode = node;
  while (top.parent) top = top.parent;
  return top as Document;
};

/** Returns every element within, in document order. */
export function elementsIn(within: ParentNode): Element[] {
  const found: Element[] = [];
  const walk = (node: ParentNode): void => {
    for (const child of node.children)
      if (isTag(child)) {
        found.push(child);
        walk(child);
      }
  };
  walk(within);
  return found;
}

/** Elements live only as long as their document. */
const ids = new WeakMap<Document, ReadonlyMap<string, Element>>();

export function byId(id: string, document: Document): Element | undefined {
  let known = ids.get(document);
  if (!known) {
    // The first element with an id counts.
    const named = elementsIn(document).filter(({ attribs }) => attribs.id !== undefined);
    known = new Map(named.toReversed().map((element) => [element.attribs.id, element]));
    ids.set(document, known);
  }
  return known.get(id);
}

/** Elements that are never shown, whatever they contain. */
const UNSHOWN = new Set(['head', 'script', 'style', 'template', 'datalist', 'title', 'meta', 'link']);

/** The menu of a page is in its header, except on a phone. */
const isClosed = ({ name, attribs }: Element): boolean =>
  'popover' in attribs && name !== 'input' && attribs.class !== 'menu';

export const isOff = (element: Element): boolean =>
  UNSHOWN.has(element.name) || 'hidden' in element.attribs || isClosed(element);

/** Returns true inside closed `details`, except in the first summary. */
export const isFolded = (node: AnyNode): boolean => {
  const { parent } = node;
  return (
    parent !== null &&
    isTag(parent) &&
    ((parent.name === 'details' && !('open' in parent.attribs) && node !== summaryOf(parent)) ||
      (parent.name === 'dialog' && !('open' in parent.attribs)))
  );
};

export const summaryOf = (details: Element): Element | undefined =>
  details.children.filter(isTag).find(({ name }) => name === 'summary');

export const isShown = (element: Element): boolean =>
  [element, ...ancestors(element)].every((one) => !isOff(one) && !isFolded(one)) &&
  !(element.name === 'input' && element.attribs.type === 'hidden');

export const BLOCK = new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol option p plaintext pre search section summary table tbody tfoot thead tr ul xmp'.split(
    ' ',
  ),
);
/** Elements that draw their own content and have no text of the page. */
const REPLACED = new Set(
  'input textarea select img svg video audio canvas iframe object embed meter progress'.split(' '),
);

/** A string is text; a number is the minimum number of line breaks there. */
type Piece = string | number;

function* pieces(node: AnyNode, pre: boolean): Generator<Piece> {
  if (isText(node)) yield pre ? node.data : node.data.replaceAll(/[\t\n\f\r ]+/g, ' ');
  if (!isTag(node) || isOff(node) || isFolded(node)) return;
  const { name } = node;
  if (name === 'br') yield '\n';
  if (REPLACED.has(name)) return;
  const breaks = name === 'p' ? 2 : BLOCK.has(name) ? 1 : 0;
  yield breaks;
  for (const child of node.children) yield* pieces(child, pre || name === 'pre');
  const cells = (name === 'td' || name === 'th') && nextCell(node);
  if (cells) yield '\t';
  yield breaks;
}

function nextCell(cell: Element): boolean {
  for (let next = cell.next; next; next = next.next) if (isTag(next)) return true;
  return false;
}

/** Returns the visible text of an element, with line breaks for blocks, paragraphs and cells. */
export function shownText(element: Element): string {
  let text = '';
  let breaks = 0;
  for (const piece of piecesWithin(element)) {
    if (typeof piece === 'number') breaks = Math.max(breaks, piece);
    else if (piece.trim() === '' && piece !== '\n' && piece !== '\t' && (breaks > 0 || text === '')) continue;
    else {
      if (breaks > 0 && text !== '') text = text.replace(/[ \t]+$/, '') + '\n'.repeat(breaks);
      const starts = text === '' || /[\s]$/.test(text);
      text += starts && piece.startsWith(' ') ? piece.slice(1) : piece;
      breaks = 0;
    }
  }
  return text.replaceAll(/ +(?=\n)/g, '').trim();
}

function* piecesWithin(element: Element): Generator<Piece> {
  if (element.name === 'textarea' || element.name === 'select') return;
  for (const child of element.children) yield* pieces(child, element.name === 'pre');
}

export const normal = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const rawText = (node: AnyNode): string =>
  isText(node) ? node.data : 'children' in node ? node.children.map(rawText).join('') : '';
/** Returns the text of an element, visible or not. */
export const textContent = (element: Element): string => rawText(element);
