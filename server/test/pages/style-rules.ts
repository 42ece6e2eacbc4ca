/**
 * The rules of style sheets that can apply to a page: a change of any other rule leaves the page as it was. A rule can
 * apply if every tag, class and attribute that one of its selectors names occurs somewhere in the page.
 */

/** The DOM types used here; the tests are compiled without them. */
type Dom = any;

interface Rule {
  readonly text: string;
  /** absent for a rule that is always kept, such as a font */
  readonly selectors?: string;
}

/** Returns the rules of a style sheet. Runs in the browser, so it uses nothing from the surrounding scope. */
export function rulesOfSheet(css: string): Rule[] {
  const found: Rule[] = [];
  const read = (rules: Dom, around: string): void => {
    for (const rule of rules) {
      if (rule.selectorText !== undefined) found.push({ text: around + rule.cssText, selectors: rule.selectorText });
      else if (rule.cssRules && rule.constructor.name !== 'CSSKeyframesRule')
        read(rule.cssRules, `${around}${rule.cssText.split('{', 1)[0]}`);
      else found.push({ text: around + rule.cssText });
    }
  };
  const sheet = new (globalThis as Dom).CSSStyleSheet();
  sheet.replaceSync(css);
  read(sheet.cssRules, '');
  return found;
}

export interface StyleRule {
  readonly text: string;
  /** for each of its selectors, what it names */
  readonly names: readonly (readonly string[])[];
}

export const withNames = ({ text, selectors }: Rule): StyleRule => ({
  text,
  // Escaped names are rare: such a rule is always kept.
  names: selectors === undefined || selectors.includes('\\') ? [[]] : namesOf(selectors),
});

function namesOf(selectors: string): string[][] {
  let plain = selectors.replaceAll(/\[\s*([\w-]+)[^\]]*\]/g, '[$1]');
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/\([^()]*\)/g, '');
  }
  return plain.split(',').map((selector) => {
    const bare = selector.replaceAll(/::?[\w-]+|#[\w-]+/g, '');
    const tags = [...bare.matchAll(/(?:^|[\s>+~])([a-z][\w-]*)/gi)].map(([, tag]) => tag!.toLowerCase());
    return [...tags, ...(bare.match(/\.[\w-]+|\[[\w-]+\]/g) ?? [])];
  });
}

/**
 * Returns the tags, classes and attributes that occur in a page. Runs in the browser, so it uses nothing from the
 * surrounding scope.
 */
export function namesInPage(html: string): string[] {
  const names = new Set<string>();
  const add = (part: Dom): void => {
    for (const element of part.querySelectorAll('*')) {
      names.add(element.localName.toLowerCase());
      for (const name of element.classList) names.add(`.${name}`);
      for (const { name } of element.attributes) names.add(`[${name}]`);
      if (element.localName === 'template') add(element.content);
    }
  };
  add(new (globalThis as Dom).DOMParser().parseFromString(html, 'text/html'));
  return [...names];
}

/** Returns the texts of the rules that can apply to a page with these names. */
export const applicable = (rules: readonly StyleRule[], names: ReadonlySet<string>): string[] =>
  rules.filter((rule) => rule.names.some((needed) => needed.every((name) => names.has(name)))).map(({ text }) => text);
