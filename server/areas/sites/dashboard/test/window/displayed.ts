/** Display and text of a window according to its style sheets. A window of a test has no layout. */

interface Rule {
  readonly selector: string;
  readonly display?: string;
  readonly visibility?: string;
  readonly weight: number;
  /** Class and tag that an element needs to match. Checking them first avoids most of the work of `matches`. */
  readonly className?: string;
  readonly tag?: string;
}

/** Width of a desktop, in px. */
export const WIDTH = 1280;
export const HEIGHT = 900;
const REM = 16;

const LAYERS = ['shared', 'parts', 'screens'];

/**
 * Returns true if a width condition holds on a desktop: `(width<48rem)`. Other conditions, such as color schemes, don't
 * hold here.
 */
function holds(condition: string): boolean {
  const width = /\(width\s*(<|>|<=|>=)\s*([\d.]+)rem\)/.exec(condition);
  if (!width) return false;
  const wanted = Number(width[2]) * REM;
  return width[1].startsWith('<') ? WIDTH < wanted : WIDTH >= wanted;
}

/** Counts ids, then classes and the like, then elements. */
function specificity(selector: string): number {
  const count = (form: RegExp): number => selector.match(form)?.length ?? 0;
  return (
    count(/#[\w-]+/g) * 10_000 + count(/\.[\w-]+|\[[^\]]*\]|(?<!:):(?!:)[\w-]+/g) * 100 + count(/(^|[\s>+~])[a-z]+/g)
  );
}

/** Returns the class and the tag of the element that a selector is about, if it names them. */
export function subjectOf(selector: string): Pick<Rule, 'className' | 'tag'> {
  if (selector.includes('\\')) return {};
  let plain = selector.replaceAll(/\[[^\]]*\]/g, '');
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/\([^()]*\)/g, '');
  }
  const subject = plain
    .trim()
    .split(/[\s>+~]+/)
    .at(-1)!;
  return {
    className: /\.([\w-]+)/.exec(subject)?.[1],
    tag: /^[a-z][\w-]*/i.exec(subject)?.[0].toUpperCase(),
  };
}

/** Returns the rules that affect whether and how something is displayed, from style sheets as the build writes them. */
export function rulesOf(css: string): readonly Rule[] {
  const rules: Rule[] = [];
  const read = (text: string, layer: number): void => {
    for (let at = 0; at < text.length;) {
      const [open, end] = [text.indexOf('{', at), text.indexOf(';', at)];
      if (open < 0) return;
      if (end >= 0 && end < open) {
        at = end + 1;
        continue;
      }
      let [close, depth] = [open + 1, 1];
      for (; depth > 0; close++) depth += text[close] === '{' ? 1 : text[close] === '}' ? -1 : 0;
      const [prelude, body] = [text.slice(at, open).trim(), text.slice(open + 1, close - 1)];
      at = close;
      if (prelude.startsWith('@layer')) read(body, LAYERS.indexOf(prelude.slice(7).trim()));
      else if (prelude.startsWith('@media')) read(holds(prelude) ? body : '', layer);
      else if (!prelude.startsWith('@')) add(prelude, body, layer);
    }
  };
  const add = (prelude: string, body: string, layer: number): void => {
    const display = /(?:^|;)\s*display:\s*([\w-]+)/.exec(body)?.[1];
    const visibility = /(?:^|;)\s*visibility:\s*([\w-]+)/.exec(body)?.[1];
    if (!display && !visibility) return;
    for (const selector of prelude.split(/,(?![^(]*\))/))
      if (!selector.includes('::'))
        rules.push({
          selector,
          display,
          visibility,
          weight: (layer + 1) * 1_000_000 + specificity(selector),
          ...subjectOf(selector),
        });
  };
  read(css.replaceAll(/\/\*.*?\*\//gs, ''), -1);
  return rules
    .map((rule, i) => ({ rule, i }))
    .toSorted((a, b) => a.rule.weight - b.rule.weight || a.i - b.i)
    .map(({ rule }) => rule);
}

const NONE = new Set(['HEAD', 'LINK', 'META', 'NOSCRIPT', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'DATALIST']);
const INLINE = new Set(
  'A ABBR B BDI BDO BR CITE CODE DATA DEL DFN EM I IMG INS KBD LABEL MARK PICTURE Q S SAMP SMALL SPAN STRONG SUB SUP SVG TIME U VAR WBR'.split(
    ' ',
  ),
);
const INLINE_BLOCK = new Set(['BUTTON', 'CANVAS', 'INPUT', 'METER', 'PROGRESS', 'SELECT', 'TEXTAREA']);
const TABLE: Readonly<Record<string, string>> = {
  TABLE: 'table',
  THEAD: 'table-row-group',
  TBODY: 'table-row-group',
  TFOOT: 'table-row-group',
  TR: 'table-row',
  TD: 'table-cell',
  TH: 'table-cell',
  CAPTION: 'table-caption',
};

export class Displayed {
  readonly #rules: readonly Rule[];
  readonly #isShown: (popover: any) => boolean;
  #known = new WeakMap<object, { display: string; visibility: string }>();

  /** `isShown`: returns true if an element with `popover` is open */
  constructor(rules: readonly Rule[], isShown: (popover: any) => boolean) {
    this.#rules = rules;
    this.#isShown = isShown;
  }

  /** Clears the cache. Call it after any change of the document. */
  forget(): void {
    this.#known = new WeakMap();
  }

  /** Returns the computed style of the element itself; an ancestor may still hide it. */
  styleOf(element: any): { readonly display: string; readonly visibility: string } {
    let known = this.#known.get(element);
    if (!known) this.#known.set(element, (known = this.#compute(element)));
    return known;
  }

  #compute(element: any): { display: string; visibility: string } {
    const { parentElement } = element;
    const tag = String(element.tagName).toUpperCase();
    let visibility = parentElement ? this.styleOf(parentElement).visibility : 'visible';
    let display = TABLE[tag] ?? (INLINE.has(tag) ? 'inline' : INLINE_BLOCK.has(tag) ? 'inline-block' : 'block');
    if (NONE.has(tag) || element.hidden) display = 'none';
    const classes = new Set((element.getAttribute('class') ?? '').split(/\s+/));
    for (const rule of this.#rules) {
      if (rule.tag !== undefined && rule.tag !== tag) continue;
      if (rule.className !== undefined && !classes.has(rule.className)) continue;
      if (element.matches(rule.selector)) {
        display = rule.display ?? display;
        visibility = rule.visibility ?? visibility;
      }
    }
    const inline = element.getAttribute('style') ?? '';
    display = /(?:^|;)\s*display:\s*([\w-]+)/.exec(inline)?.[1] ?? display;
    visibility = /(?:^|;)\s*visibility:\s*([\w-]+)/.exec(inline)?.[1] ?? visibility;
    if (tag === 'DIALOG' && !element.hasAttribute('open')) display = 'none';
    if (element.hasAttribute('popover') && !this.#isShown(element)) display = 'none';
    if (parentElement?.tagName === 'DETAILS' && !parentElement.hasAttribute('open') && tag !== 'SUMMARY')
      display = 'none';
    return { display, visibility };
  }

  /** Returns true if the element is rendered: no ancestor hides it. */
  isRendered(element: any): boolean {
    for (let one = element; one; one = one.parentElement) if (this.styleOf(one).display === 'none') return false;
    return element.isConnected;
  }

  /** Returns the text like a browser's `innerText`: lines as they are displayed. */
  textOf(element: any): string {
    if (!this.isRendered(element)) return element.textContent;
    const out: (string | number)[] = [];
    this.#write(element, out, false);
    // The separator of cells is not part of the last one.
    if (out.at(-1) === '\t') out.pop();
    return joined(out);
  }

  /** Writes texts, and the minimum number of line breaks between them. */
  #write(node: any, out: (string | number)[], isPre: boolean): void {
    if (node.nodeType === 3) {
      out.push(isPre ? node.data : node.data.replaceAll(/[\t\n\r ]+/g, ' '));
      return;
    }
    if (node.nodeType !== 1) return;
    const { display, visibility } = this.styleOf(node);
    if (display === 'none') return;
    if (node.tagName === 'BR') return void out.push('\n');
    if (['INPUT', 'TEXTAREA', 'SVG', 'svg'].includes(node.tagName)) return;
    const around = this.#breaks(node, display);
    if (around > 0) out.push(around);
    const children = [...node.childNodes];
    const pre = isPre || node.tagName === 'PRE';
    if (visibility === 'visible') for (const child of children) this.#write(child, out, pre);
    if (display === 'table-cell' && node.nextElementSibling) out.push('\t');
    if (around > 0) out.push(around);
  }

  #breaks(node: any, display: string): number {
    if (node.tagName === 'P') return 2;
    const { parentElement } = node;
    const within = parentElement && this.styleOf(parentElement).display;
    const isItem = within && /^(inline-)?(flex|grid)$/.test(within);
    if (display === 'table-cell' && !isItem) return 0;
    return isItem || !/^(inline|contents|table-cell)/.test(display) ? 1 : 0;
  }
}

function joined(out: readonly (string | number)[]): string {
  let [text, breaks] = ['', 0];
  for (const one of out) {
    if (typeof one === 'number') {
      breaks = Math.max(breaks, one);
      continue;
    }
    let piece = one;
    if (breaks > 0 || text === '' || /\s$/.test(text)) piece = piece.replace(/^ /, '');
    if (piece === '') continue;
    if (breaks > 0 && text !== '') text = `${text.replace(/ $/, '')}${'\n'.repeat(breaks)}`;
    breaks = 0;
    text += piece;
  }
  return text.replace(/ $/, '').replaceAll(/ +(?=\n)/g, '');
}
