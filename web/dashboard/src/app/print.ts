/**
 * Prints a page that the interface has rendered, such as a receipt. The content security policy of the dashboard
 * forbids inline styles, so they are passed to the frame as a style sheet. Scripts are not supported.
 * `styleFor` returns styles for the paper, given the height of the content in millimeters.
 */
export function printPage(page: string, styleFor?: (height: number) => string): void {
  // Even a document that is never shown would have its styles blocked.
  const styles: string[] = [];
  const bare = page.replaceAll(/<style[^>]*>([^]*?)<\/style>/gi, (_, style: string) => {
    styles.push(style);
    return '';
  });
  const parsed = new DOMParser().parseFromString(bare, 'text/html');
  for (const script of parsed.querySelectorAll('script')) script.remove();
  const frame = document.createElement('iframe');
  frame.className = 'unseen';
  frame.title = parsed.title;
  frame.setAttribute('aria-hidden', 'true');
  document.body.append(frame);
  const inside = frame.contentWindow as Window & typeof globalThis;
  const sheet = new inside.CSSStyleSheet();
  sheet.replaceSync(styles.join('\n'));
  inside.document.adoptedStyleSheets = [sheet];
  inside.document.title = parsed.title;
  inside.document.documentElement.lang = parsed.documentElement.lang;
  inside.document.body.append(...[...parsed.body.childNodes].map((node) => inside.document.importNode(node, true)));
  inside.addEventListener('afterprint', () => frame.remove());
  const pictures = [...inside.document.images].map((image) => image.decode().catch(() => {}));
  void Promise.all(pictures).then(() => {
    if (styleFor) {
      const height = Math.ceil((inside.document.body.getBoundingClientRect().height * 25.4) / 96);
      sheet.replaceSync([...styles, styleFor(height)].join('\n'));
    }
    inside.print();
  });
}
