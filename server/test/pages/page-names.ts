/** The names and roles of page elements for assistive technology: accessible names, labels and roles. */
import { isTag, isText, type AnyNode } from 'domhandler';
import {
  all,
  ancestors,
  BLOCK,
  byId,
  closest,
  inDocument,
  isFolded,
  isOff,
  isShown,
  matches,
  normal,
  textContent,
  type Document,
  type Element,
} from './page-document.ts';

const LABELLED = 'input:not([type=hidden]), select, textarea, button, meter, output, progress';

/** Returns the control of a label: the one in its `for`, or the first inside it. */
export function controlOf(label: Element): Element | undefined {
  const { for: id } = label.attribs;
  const found = id === undefined ? all(LABELLED, label)[0] : byId(id, inDocument(label));
  return found && matches(found, LABELLED) ? found : undefined;
}

const labels = new WeakMap<Document, ReadonlyMap<Element | undefined, readonly Element[]>>();

export function labelsOf(control: Element): readonly Element[] {
  const document = inDocument(control);
  const known = labels.get(document) ?? Map.groupBy(all('label', document), controlOf);
  labels.set(document, known);
  return known.get(control) ?? [];
}

/** Returns the text of a naming element: with alternative texts of images, without hidden content. */
function namingText(node: AnyNode): string {
  if (isText(node)) return node.data;
  if (!isTag(node)) return 'children' in node ? node.children.map(namingText).join('') : '';
  if (isOff(node) || isFolded(node) || node.attribs['aria-hidden'] === 'true') return '';
  const { name, attribs } = node;
  if (attribs['aria-label']) return attribs['aria-label'];
  if (name === 'img') return attribs.alt ?? '';
  if (name === 'svg') return all('title', node).map(textContent).join(' ');
  if (name === 'input') return isTyped(node) ? (attribs.value ?? '') : '';
  if (name === 'select') return all('option[selected]', node).map(textContent).join(' ');
  const text = node.children.map(namingText).join('');
  return BLOCK.has(name) || name === 'br' || name === 'td' || name === 'th' ? ` ${text} ` : text;
}

export const isTyped = ({ name, attribs }: Element): boolean =>
  name === 'textarea' ||
  (name === 'input' &&
    !/^(checkbox|radio|button|submit|reset|image|file|hidden|color|range)$/.test(
      (attribs.type ?? 'text').toLowerCase(),
    ));

/** Roles that take their name from their content. */
const NAMED_BY_CONTENT = new Set(
  'button link heading cell columnheader rowheader option row tab menuitem switch checkbox radio tooltip'.split(' '),
);

export function nameOf(element: Element): string {
  const { name, attribs } = element;
  const document = inDocument(element);
  const by = attribs['aria-labelledby']?.split(/\s+/).flatMap((id) => byId(id, document) ?? []) ?? [];
  if (by.length > 0) return normal(by.map((one) => referredText(one)).join(' '));
  if (normal(attribs['aria-label'] ?? '') !== '') return normal(attribs['aria-label']);
  if (name === 'input' && /^(submit|reset|button)$/.test(attribs.type ?? ''))
    return normal(attribs.value ?? { submit: 'Submit', reset: 'Reset' }[attribs.type] ?? '');
  if (name === 'img' || (name === 'input' && attribs.type === 'image'))
    return normal(attribs.alt ?? attribs.title ?? '');
  const labels = matches(element, LABELLED) ? labelsOf(element) : [];
  if (labels.length > 0) return normal(labels.map((label) => label.children.map(namingText).join('')).join(' '));
  const within = { fieldset: 'legend', table: 'caption', figure: 'figcaption' }[name];
  const naming = within && element.children.filter(isTag).find((child) => child.name === within);
  if (naming) return normal(namingText(naming));
  if (NAMED_BY_CONTENT.has(roleOf(element) ?? '') || name === 'summary') {
    const text = normal(element.children.map(namingText).join(''));
    if (text !== '') return text;
  }
  return normal(attribs.title ?? attribs.placeholder ?? '');
}

/** Returns the text of a referenced element, which counts as a name even if it is hidden. */
const referredText = (element: Element): string =>
  element.attribs['aria-label'] ?? element.children.map(namingText).join('');

const ROLES: Record<string, string> = {
  article: 'article',
  aside: 'complementary',
  button: 'button',
  dd: 'definition',
  details: 'group',
  dialog: 'dialog',
  dt: 'term',
  fieldset: 'group',
  figure: 'figure',
  hr: 'separator',
  li: 'listitem',
  main: 'main',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  table: 'table',
  tbody: 'rowgroup',
  td: 'cell',
  textarea: 'textbox',
  thead: 'rowgroup',
  time: 'time',
  tr: 'row',
  ul: 'list',
};
const INPUT_ROLES: Record<string, string | null> = {
  button: 'button',
  checkbox: 'checkbox',
  color: null,
  date: null,
  'datetime-local': null,
  file: null,
  hidden: null,
  image: 'button',
  month: null,
  number: 'spinbutton',
  password: null,
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  time: null,
  week: null,
};
const SECTIONING = 'article, aside, main, nav, section';

export function roleOf(element: Element): string | null {
  const { name, attribs } = element;
  const given = attribs.role?.split(/\s+/)[0];
  if (given) return given === 'none' || given === 'presentation' ? null : given;
  if (/^h[1-6]$/.test(name)) return 'heading';
  if (name === 'a' || name === 'area') return 'href' in attribs ? 'link' : null;
  if (name === 'input')
    return INPUT_ROLES[attribs.type?.toLowerCase() ?? ''] === undefined
      ? 'textbox'
      : INPUT_ROLES[attribs.type.toLowerCase()];
  if (name === 'select') return 'multiple' in attribs || Number(attribs.size ?? 1) > 1 ? 'listbox' : 'combobox';
  if (name === 'img') return attribs.alt === '' ? null : 'img';
  if (name === 'section') return isNamed(element) ? 'region' : null;
  if (name === 'form') return isNamed(element) ? 'form' : null;
  if (name === 'th') return attribs.scope === 'row' ? 'rowheader' : 'columnheader';
  const isOfPage = (): boolean => !closest(element.parent as Element, SECTIONING);
  if (name === 'header') return isOfPage() ? 'banner' : null;
  if (name === 'footer') return isOfPage() ? 'contentinfo' : null;
  return ROLES[name] ?? null;
}

const isNamed = ({ attribs }: Element): boolean =>
  Boolean(attribs['aria-label'] ?? attribs['aria-labelledby'] ?? attribs.title);

export const headingLevel = ({ name, attribs }: Element): number => Number(attribs['aria-level'] ?? name.slice(1));

/** Returns true if the element exists for screen readers. */
export const isHeard = (element: Element): boolean =>
  isShown(element) && ![element, ...ancestors(element)].some(({ attribs }) => attribs['aria-hidden'] === 'true');
