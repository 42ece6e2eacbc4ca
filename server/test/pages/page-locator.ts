/**
 * Elements of a page by role, label, text or selector, with the names of a real browser's locators. They are looked up
 * each time they are used. Nothing waits: without scripts, an element that isn't there will not appear.
 */
import {
  all,
  ancestors,
  elementsIn,
  isShown,
  matches,
  normal,
  shownText,
  textContent,
  type Document,
  type Element,
} from './page-document.ts';
import { isHeard, labelsOf, headingLevel, nameOf, roleOf } from './page-names.ts';
import { choose, enter, isDisabled, setChecked, valueOf } from './page-form.ts';

export type Wanted = string | RegExp;

export interface RoleOptions {
  readonly name?: Wanted;
  readonly exact?: boolean;
  readonly level?: number;
}

interface Window {
  readonly document: Document;
  /** Performs the action of pressing the element. */
  press(element: Element): Promise<void>;
}

/** Returns true if the text contains the wanted one, ignoring case; `exact` compares them completely. */
export const fits = (text: string, wanted: Wanted, exact = false): boolean => {
  const one = normal(text);
  if (wanted instanceof RegExp) return wanted.test(one);
  return exact ? one === normal(wanted) : one.toLowerCase().includes(normal(wanted).toLowerCase());
};

export class PageLocator {
  readonly #window: Window;
  readonly #find: () => Element[];
  /** description for error messages */
  readonly #what: string;

  constructor(window: Window, what: string, find: () => Element[]) {
    this.#window = window;
    this.#what = what;
    this.#find = find;
  }

  /** Returns a locator for the whole page. */
  static of(window: Window): PageLocator {
    return new PageLocator(window, 'the page', () => all('html', window.document));
  }

  #within(what: string, find: (within: Element) => Element[]): PageLocator {
    return this.#then(`${what}${this.#what === 'the page' ? '' : ` within ${this.#what}`}`, (found) => {
      const wanted = new Set(found.flatMap(find));
      return elementsIn(this.#window.document).filter((element) => wanted.has(element));
    });
  }

  #then(what: string, change: (found: Element[]) => Element[]): PageLocator {
    return new PageLocator(this.#window, what, () => change(this.#find()));
  }

  /** `hasText`: part of the element's text, ignoring case. */
  locator(selector: string, { hasText }: { hasText?: Wanted } = {}): PageLocator {
    const found = this.#within(selector, (within) => all(selector, within));
    return hasText === undefined ? found : found.filter({ hasText });
  }

  getByRole(role: string, { name, exact, level }: RoleOptions = {}): PageLocator {
    return this.#within(`the ${role} ${name === undefined ? '' : `“${name}”`}`, (within) =>
      elementsIn(within).filter(
        (element) =>
          roleOf(element) === role &&
          isHeard(element) &&
          (level === undefined || headingLevel(element) === level) &&
          (name === undefined || fits(nameOf(element), name, exact)),
      ),
    );
  }

  /** Finds fields and checkboxes by label. */
  getByLabel(label: Wanted, { exact }: { exact?: boolean } = {}): PageLocator {
    return this.#within(`the field “${label}”`, (within) =>
      all('input:not([type=hidden]), select, textarea, button, [role]', within).filter((element) => {
        const names = labelsOf(element).map(textContent);
        const { 'aria-label': own, 'aria-labelledby': by } = element.attribs;
        return [...(by ? [nameOf(element)] : own ? [own] : names)].some((name) => fits(name, label, exact));
      }),
    );
  }

  /** Finds the innermost elements with the text. */
  getByText(text: Wanted, { exact }: { exact?: boolean } = {}): PageLocator {
    return this.#within(`the text “${text}”`, (within) => {
      const found = all('body *:not(script, style, noscript)', within).filter((one) =>
        fits(textContent(one), text, exact),
      );
      const outer = new Set(found.flatMap((one) => [...ancestors(one)]));
      return found.filter((one) => !outer.has(one));
    });
  }

  filter({ hasText }: { hasText: Wanted }): PageLocator {
    return this.#then(`${this.#what} with “${hasText}”`, (found) =>
      found.filter((element) => fits(textContent(element), hasText)),
    );
  }

  first(): PageLocator {
    return this.nth(0);
  }

  last(): PageLocator {
    return this.nth(-1);
  }

  nth(index: number): PageLocator {
    return this.#then(`${this.#what}, ${index}`, (found) => [found.at(index)].filter((one) => one !== undefined));
  }

  get #one(): Element {
    const found = this.#find();
    if (found.length === 1) return found[0];
    throw new Error(
      `${this.#what}: there ${found.length === 0 ? 'is none' : `are ${found.length}`} on the page:\n${shownText(all('body', this.#window.document)[0])}`,
    );
  }

  /** Returns the element if people could press it or fill it in: visible and enabled. */
  get #usable(): Element {
    const element = this.#one;
    if (!isShown(element)) throw new Error(`${this.#what} is hidden`);
    if (matches(element, 'button, input, select, textarea') && isDisabled(element))
      throw new Error(`${this.#what} is disabled`);
    return element;
  }

  async count(): Promise<number> {
    return this.#find().length;
  }

  /** Follows a link, submits a form, or opens a disclosure. */
  async click(): Promise<void> {
    await this.#window.press(this.#usable);
  }

  /**
   * Enters the value that fits the field: a text, the label of an option, or whether a box is checked. Opens the
   * section that the field is in.
   */
  async set(value: string | boolean): Promise<void> {
    for (const one of ancestors(this.#one)) if (one.name === 'details') one.attribs.open ??= '';
    const { attribs, name } = this.#usable;
    if (typeof value === 'boolean') return this.setChecked(value);
    if (attribs.type === 'radio') return this.check();
    return name === 'select' ? this.selectOption({ label: value }) : this.fill(value);
  }

  async fill(text: string): Promise<void> {
    enter(this.#usable, text);
  }

  check(): Promise<void> {
    return this.setChecked(true);
  }

  uncheck(): Promise<void> {
    return this.setChecked(false);
  }

  async setChecked(on: boolean): Promise<void> {
    setChecked(this.#usable, on);
  }

  /** Selects by label or by value. */
  async selectOption(option: string | { label: string }): Promise<void> {
    choose(this.#usable, typeof option === 'string' ? { value: option } : option);
  }

  async getAttribute(name: string): Promise<string | null> {
    return this.#one.attribs[name] ?? null;
  }

  async inputValue(): Promise<string> {
    return valueOf(this.#one);
  }

  async isChecked(): Promise<boolean> {
    return 'checked' in this.#one.attribs;
  }

  async isVisible(): Promise<boolean> {
    const found = this.#find();
    return found.length > 0 && isShown(this.#one);
  }

  async isEnabled(): Promise<boolean> {
    return !isDisabled(this.#one);
  }

  async innerText(): Promise<string> {
    return shownText(this.#one);
  }

  async allInnerTexts(): Promise<string[]> {
    return this.#find().map(shownText);
  }
}
