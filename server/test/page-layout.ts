/**
 * What is wrong with how a page is laid out, found in the browser itself. Each function runs there, so it may use nothing
 * from around it.
 */

/** The part of a browser that these functions use; the tests are compiled without its types. */
type Dom = any;

/**
 * Text that is cut, text that lies on other text, and what stands out of the window. Empty: all can be read. `apart`: a
 * selector of what lies above the rest, or is scrolled by itself.
 */
export function unreadable(apart: string | void): string[] {
  const { document, innerWidth, getComputedStyle, NodeFilter } = globalThis as Dom;
  const found: string[] = [];
  const hidden = ['hidden', 'clip'];
  /** Kept off the screen for people who hear the page. */
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
  // Boxes of letters are higher than the letters: lines that follow each other closely share a little.
  const shared = (a: Dom, b: Dom): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 3;
  for (const [i, one] of lines.entries())
    for (const other of lines.slice(i + 1))
      if (one.node !== other.node && shared(one.rect, other.rect))
        found.push(`overlap: ${nameOf(one.parent)} and ${nameOf(other.parent)}`);
  return [...new Set(found)];
}

/** Where the boxes of the page are, from the side that lines begin at; to compare a page with its mirror. */
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

/** What moves, or would move when it changes. */
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

/** Where colours are the reader's, what only colours say is lost: buttons need edges, and what is chosen a mark. */
export function lostColors(): string[] {
  const { document, getComputedStyle } = globalThis as Dom;
  const shown = (element: Dom): string => element.outerHTML.slice(0, 90);
  // Browsers draw boxes to check themselves.
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
