/**
 * The position of the focus on a page, and the elements that it can reach. Each function runs in the browser, so it
 * uses nothing from the surrounding scope.
 */

/** The DOM types that these functions use; the tests are compiled without them. */
type Dom = any;

export interface Focused {
  /** accessible name */
  readonly name: string;
  readonly role: string | null;
  /** path in the document tree */
  readonly path: string;
  /** the reason why people would not see that it has the focus; null if they would */
  readonly unseen: string | null;
}

/** Returns the focused element; null if there is none. */
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
  // A field's label may cover it, and the center of a link with several lines may lie between them.
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

/**
 * Returns the path of each element that can be reached by keyboard, in document order. A group of radio buttons counts
 * as one.
 */
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
      // The checked radio button represents the group.
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
