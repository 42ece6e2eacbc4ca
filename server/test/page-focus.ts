/** Where the focus of a page is, and where it can go. Each function runs in the browser, so it may use nothing from around it. */

/** The part of a browser that these functions use; the tests are compiled without its types. */
type Dom = any;

export interface Focused {
  /** what it is called, as people hear it */
  readonly name: string;
  readonly role: string | null;
  /** in the tree of the page */
  readonly path: string;
  /** why people would not see that it has the focus; null: they do */
  readonly unseen: string | null;
}

/** What has the focus; null: nothing. */
export function focused(): Focused | null {
  const { document, getComputedStyle, innerWidth, innerHeight } = globalThis as Dom;
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const texts = (element.labels ? [...element.labels] : []).map((label: Dom) => label.textContent.trim());
  const name = element.getAttribute('aria-label') ?? (texts.join(' ') || element.textContent.trim());
  const steps: string[] = [];
  for (let one = element; one && one !== document.documentElement; one = one.parentElement)
    steps.unshift(`${one.localName}:${[...(one.parentElement?.children ?? [])].indexOf(one)}`);
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const [x, y] = [
    Math.min(Math.max(left + width / 2, 0), innerWidth - 1),
    Math.min(Math.max(top + height / 2, 0), innerHeight - 1),
  ];
  const above = document.elementFromPoint(x, y);
  // The label of a field may lie on it, and a link of several lines has its middle between them.
  const covered =
    above?.closest('header, footer, .day > h2') && !above.closest('header, footer, .day > h2').contains(element);
  const unseen =
    right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight
      ? 'it is out of the window'
      : outlineStyle === 'none' || parseFloat(outlineWidth) < 2
        ? 'it has no outline'
        : covered
          ? `it lies below ${above.outerHTML.slice(0, 80)}`
          : null;
  return { name: name.replace(/\s+/g, ' '), role: element.getAttribute('role'), path: steps.join(' '), unseen };
}

/** What can be reached by keyboard, as the path of each, in the order of the page. Of choices of one kind, one is. */
export function reachable(): string[] {
  const { document } = globalThis as Dom;
  const groups = new Set<string>();
  return [
    ...document.querySelectorAll(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
    ),
  ]
    .filter((element: Dom) => {
      if (!element.checkVisibility() || element.disabled) return false;
      if (element.type !== 'radio') return true;
      const group = `${element.form?.action} ${element.name}`;
      // The chosen one stands for all.
      const chosen = document.querySelector(`input[type=radio][name="${element.name}"]:checked`);
      if (groups.has(group) || (chosen && chosen !== element)) return false;
      groups.add(group);
      return true;
    })
    .map((element: Dom) => {
      const steps: string[] = [];
      for (let one = element; one && one !== document.documentElement; one = one.parentElement)
        steps.unshift(`${one.localName}:${[...(one.parentElement?.children ?? [])].indexOf(one)}`);
      return steps.join(' ');
    });
}
