/**
 * The structure of a page without its words and numbers: pages with the same skeleton and the same style sheets look
 * alike to axe, so one of them stands for all.
 */

/** The DOM types used here; the tests are compiled without them. */
type Dom = any;

/**
 * Returns the skeleton of a page. Runs in the browser, so it uses nothing from the surrounding scope. Keeps tags,
 * classes, roles, states, whether something has a name, references between elements, and the approximate length of
 * texts, because long words need room. Among parts that repeat within an element, such as the rows of a table, only one
 * is kept.
 */
export function skeletonOf(html: string): string {
  const { DOMParser } = globalThis as Dom;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const REFERS =
    /^(?:for|headers|list|form|popovertarget|aria-(?:labelledby|describedby|controls|owns|activedescendant|details|errormessage|flowto))$/;
  const NAMES =
    /^(?:aria-label|aria-description|aria-roledescription|aria-placeholder|title|placeholder|label|summary)$/;
  const NUMBERS =
    /^aria-(?:valuenow|valuetext|valuemin|valuemax|rowcount|rowindex|colcount|colindex|posinset|setsize)$/;
  const VALUES =
    /^(?:class|role|type|lang|dir|scope|colspan|rowspan|autocomplete|hidden|open|rel|media|http-equiv|popover|inputmode|accesskey|aria-.*)$/;
  const LETTERS = /\S/;
  const LANDMARKS = 'nav, aside, section, form, header, footer, main, [role]';

  const byId = new Map<string, Dom[]>();
  for (const element of page.querySelectorAll('[id]')) byId.set(element.id, [...(byId.get(element.id) ?? []), element]);

  const hasText = (text: string | null): boolean => LETTERS.test(text ?? '');
  const presence = (text: string): string => (hasText(text) ? '+' : '');
  /** Returns the kind of element that an id refers to: none, one with or without text, or several. */
  const target = (id: string): string => {
    const found = byId.get(id) ?? [];
    return found.length > 1 ? 'several' : found[0] ? `${found[0].localName}${presence(found[0].textContent)}` : 'none';
  };
  const nameOf = (element: Dom): string =>
    element.getAttribute('aria-label') ??
    (element.getAttribute('aria-labelledby') ?? '')
      .split(/\s+/)
      .map((id: string) => byId.get(id)?.[0]?.textContent ?? '')
      .join(' ');
  const landmarks = new Map<string, number>();
  const landmarkKey = (element: Dom): string =>
    `${element.localName} ${element.getAttribute('role') ?? ''} ${nameOf(element).trim()}`;
  for (const element of page.querySelectorAll(LANDMARKS))
    landmarks.set(landmarkKey(element), (landmarks.get(landmarkKey(element)) ?? 0) + 1);

  const attribute = (element: Dom, name: string, value: string): string => {
    if (name === 'id')
      return (byId.get(value)?.length ?? 0) > 1 ? 'id:several' : /[\d:«_]/.test(value) ? '' : `id=${value}`;
    if (name === 'href' && value.startsWith('#')) return `href#${value === '#' ? '' : target(value.slice(1))}`;
    if (name === 'alt') {
      const around = element.closest('a, button')?.textContent.trim();
      return `alt${presence(value)}${hasText(value) && around === value.trim() ? 'same' : ''}`;
    }
    if (REFERS.test(name)) return `${name}→${value.split(/\s+/).map(target).join(',')}`;
    if (NAMES.test(name)) return `${name}${presence(value)}`;
    if (NUMBERS.test(name)) return name;
    if (name === 'tabindex') return `tabindex${Math.sign(Number(value))}`;
    if (name === 'content') return element.getAttribute('name') === 'viewport' ? `content=${value}` : '';
    if (name === 'style')
      return `style=${value.replaceAll(/(#[\da-f]{3,8}\b|rgba?\([^)]*\)|hsla?\([^)]*\))|[\d.]+/gi, (_, color) => color ?? 'n')}`;
    if (VALUES.test(name)) return `${name}=${value}`;
    if (name.startsWith('data-') && !/\d/.test(value)) return `${name}=${value}`;
    return name;
  };
  const words = (text: string): string => {
    if (!hasText(text)) return '';
    const trimmed = text.trim();
    const longest = Math.max(...trimmed.split(/[\s\u00ad\u200b-]+/).map((word) => word.length));
    return `"${longest > 16 ? `w${Math.ceil(longest / 8)}` : ''}${trimmed.length > 32 ? `l${Math.floor(Math.log2(trimmed.length))}` : ''}"`;
  };
  const build = (node: Dom): string => {
    if (node.nodeType === 3) return words(node.data);
    if (node.nodeType !== 1 || node.localName === 'script') return '';
    const parts = [...node.attributes]
      .map(({ name, value }: Dom) => attribute(node, name, value))
      .filter((part) => part !== '');
    if (node.matches(LANDMARKS) && landmarks.get(landmarkKey(node))! > 1) parts.push('named alike');
    if (node.localName === 'textarea') return `textarea[${parts.toSorted().join(' ')}]`;
    const children = new Map<string, boolean>();
    for (const child of (node.localName === 'template' ? node.content : node).childNodes) {
      const built = build(child);
      if (built !== '') children.set(built, children.has(built));
    }
    const inside = [...children].map(([built, repeats]) => built + (repeats ? '*' : '')).join('');
    return `${node.localName}[${parts.toSorted().join(' ')}](${inside})`;
  };
  return build(page.documentElement);
}
