/**
 * Layout problems of a page, found in the browser itself. Each function runs there, so it uses nothing from the
 * surrounding scope.
 */

/** The DOM types that these functions use; the tests are compiled without them. */
type Dom = any;

/**
 * Returns text that is cut off, text that overlaps other text, and content outside of the window; empty if everything
 * is readable. `apart`: a selector for elements that lie above the rest or scroll on their own.
 */
export function unreadable(apart: string | void): string[] {
  const { document, innerWidth, getComputedStyle, NodeFilter } = globalThis as Dom;
  const found: string[] = [];
  const hidden = ['hidden', 'clip'];
  /** Returns true for content that is kept off the screen, for screen readers. */
  const isUnseen = (element: Dom): boolean => element.closest(`.unseen, .skip${apart ? `, ${apart}` : ''}`) !== null;
  const nameOf = (element: Dom): string =>
    `<${element.localName}${element.className ? ` class="${element.getAttribute('class')}"` : ''}> ${element.textContent.trim().slice(0, 60)}`;
  const scroller = document.documentElement;
  if (scroller.scrollWidth > scroller.clientWidth)
    found.push(`the page is ${scroller.scrollWidth - scroller.clientWidth} px wider than the window`);

  for (const element of document.querySelectorAll('body *')) {
    if (isUnseen(element) || !element.checkVisibility() || element.closest('svg')) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    if (
      (hidden.includes(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (hidden.includes(overflowY) && element.scrollHeight > element.clientHeight + 1)
    )
      found.push(`cut: ${nameOf(element)}`);
    const isButton = element.matches('button, .button');
    if (isButton && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1))
      found.push(`does not fit into its button: ${nameOf(element)}`);
  }

  const lines: { node: Dom; parent: Dom; rect: Dom }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.data.trim() === '' || isUnseen(parent) || !parent.checkVisibility() || parent.closest('option, script'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      if (rect.left < -1 || rect.right > innerWidth + 1) found.push(`out of the window: ${nameOf(parent)}`);
      lines.push({ node, parent, rect });
    }
  }
  // Returns true if two boxes overlap. Text boxes are taller than the letters, so those of adjacent lines may overlap
  // slightly.
  const shared = (a: Dom, b: Dom): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 3;
  for (const [i, one] of lines.entries())
    for (const other of lines.slice(i + 1))
      if (one.node !== other.node && shared(one.rect, other.rect))
        found.push(`overlap: ${nameOf(one.parent)} and ${nameOf(other.parent)}`);
  return [...new Set(found)];
}

/**
 * Returns the positions of the boxes on the page, measured from the side where lines start, to compare a page with its
 * mirror image.
 */
export function boxes(): { name: string; start: number; top: number; width: number; height: number }[] {
  const { document, getComputedStyle } = globalThis as Dom;
  const { clientWidth, dir } = document.documentElement;
  return [...document.querySelectorAll('body *')]
    .filter(
      (element) =>
        element.closest('.unseen, .skip, svg') === null &&
        element.checkVisibility() &&
        !['inline', 'contents'].includes(getComputedStyle(element).display),
    )
    .map((element) => {
      const { left, right, top, width, height } = element.getBoundingClientRect();
      const name = `<${element.localName} class="${element.getAttribute('class') ?? ''}"> ${element.textContent.trim().slice(0, 40)}`;
      return { name, start: dir === 'rtl' ? clientWidth - right : left, top, width, height };
    });
}

/** Returns the elements that move, or would move when they change. */
export function moving(): string[] {
  const { document, getComputedStyle } = globalThis as Dom;
  return [...document.querySelectorAll('*')].flatMap((element) =>
    [null, '::before', '::after'].flatMap((part) => {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element, part);
      const moves =
        animationName !== 'none' ||
        transitionDuration.split(', ').some((time: string) => time !== '0s') ||
        scrollBehavior === 'smooth';
      return moves ? [`<${element.localName} class="${element.className}">${part ?? ''}`] : [];
    }),
  );
}

/**
 * Returns what is lost when the reader's colors replace those of the page: buttons need borders, and a selected item
 * needs a mark.
 */
export function lostColors(): string[] {
  const { document, getComputedStyle } = globalThis as Dom;
  const shown = (element: Dom): string => element.outerHTML.slice(0, 90);
  // Browsers draw checkboxes and radio buttons themselves.
  const edged =
    'button:not(.plain), .button, input:not([type=hidden], [type=checkbox], [type=radio]), select, .card, .mark';
  const edgeless = [...document.querySelectorAll(edged)].filter((element) => {
    const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element);
    return borderTopWidth === '0px' || borderTopColor === backgroundColor;
  });
  const background = (element: Dom): string => getComputedStyle(element).backgroundColor;
  const plain = document.querySelector('.days a:not([aria-current])');
  const alike = [...document.querySelectorAll('.days a[aria-current]')].filter(
    (element) => background(element) === background(plain),
  );
  return [
    ...edgeless.map((element) => `no edge: ${shown(element)}`),
    ...alike.map((element) => `looks like the others: ${shown(element)}`),
  ];
}
