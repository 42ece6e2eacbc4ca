/** A part of a page in a test window. It is found again at each use, and used as soon as that is possible. */
import { click, fill, focusOn, press } from './gestures.ts';
import type { DeskWindow } from './desk-window.ts';
import type { Chosen, ChosenFile, Exact, Named, Narrower, Part, ScreenPage } from './visit.ts';

/** Selectors in Playwright's syntax: each segment narrows down the result of the one before. */
const SELECTOR = Symbol('selector');

type State = 'visible' | 'enabled' | 'editable' | 'in front';

export class WindowPart implements Part {
  readonly [SELECTOR]: string;
  readonly #in: DeskWindow;

  constructor(within: DeskWindow, selector: string) {
    this.#in = within;
    this[SELECTOR] = selector;
  }

  #then(selector: string): WindowPart {
    return new WindowPart(this.#in, this[SELECTOR] ? `${this[SELECTOR]} >> ${selector}` : selector);
  }

  getByRole(role: string, options?: Named): WindowPart {
    return this.#then(this.#in.selectors.getByRoleSelector(role, options));
  }

  getByLabel(text: string | RegExp, options?: Exact): WindowPart {
    return this.#then(this.#in.selectors.getByLabelSelector(text, options));
  }

  getByText(text: string | RegExp, options?: Exact): WindowPart {
    return this.#then(this.#in.selectors.getByTextSelector(text, options));
  }

  getByPlaceholder(text: string | RegExp, options?: Exact): WindowPart {
    return this.#then(this.#in.selectors.getByPlaceholderSelector(text, options));
  }

  locator(selector: string, options?: Narrower): WindowPart {
    return this.#then(selector).filter(options);
  }

  filter({ has, hasNot, hasText, hasNotText, visible }: Narrower = {}): WindowPart {
    const text = (wanted: string | RegExp): string => this.#in.selectors.escapeForTextSelector(wanted, false);
    const inner = (part: Part): string => JSON.stringify((part as WindowPart)[SELECTOR]);
    const narrower = [
      ...(hasText === undefined ? [] : [`internal:has-text=${text(hasText)}`]),
      ...(hasNotText === undefined ? [] : [`internal:has-not-text=${text(hasNotText)}`]),
      ...(has ? [`internal:has=${inner(has)}`] : []),
      ...(hasNot ? [`internal:has-not=${inner(hasNot)}`] : []),
      ...(visible === undefined ? [] : [`visible=${visible}`]),
    ];
    return narrower.reduce((found: WindowPart, one) => found.#then(one), this);
  }

  first(): WindowPart {
    return this.nth(0);
  }

  last(): WindowPart {
    return this.nth(-1);
  }

  nth(index: number): WindowPart {
    return this.#then(`nth=${index}`);
  }

  and(other: Part): WindowPart {
    return this.#then(`internal:and=${JSON.stringify((other as WindowPart)[SELECTOR])}`);
  }

  or(other: Part): WindowPart {
    return this.#then(`internal:or=${JSON.stringify((other as WindowPart)[SELECTOR])}`);
  }

  page(): ScreenPage {
    return this.#in.page;
  }

  toString(): string {
    return this[SELECTOR];
  }

  /** Returns the only matching element, once it exists and is in these states. */
  #one(doing: string, states: readonly State[]): Promise<any> {
    return this.#in.until(`${doing} ${this}`, () => {
      const element = this.#in.find(this[SELECTOR]);
      if (!element) return 'it is not there';
      for (const state of states) {
        if (state === 'in front') {
          if (this.#in.realm.isBehind(element)) return 'it is behind a window above the page';
        } else {
          const { matches, received } = this.#in.injected.elementState(element, state, true);
          if (!matches) return `it is ${received}`;
        }
      }
      return { found: element };
    });
  }

  async #act(doing: string, states: readonly State[], act: (element: any) => void): Promise<void> {
    const element = await this.#one(doing, states);
    act(element);
    await this.#in.settle();
  }

  /** Returns the labelled element of a label. */
  #field(element: any): any {
    return this.#in.injected.retarget(element, 'follow-label');
  }

  click(): Promise<void> {
    return this.#act('press', ['visible', 'enabled', 'in front'], (element) => click(this.#in.realm, element));
  }

  fill(text: string): Promise<void> {
    return this.#act('fill', ['visible', 'enabled', 'editable', 'in front'], (element) =>
      fill(this.#in.realm, this.#field(element), text),
    );
  }

  check(): Promise<void> {
    return this.setChecked(true);
  }

  uncheck(): Promise<void> {
    return this.setChecked(false);
  }

  async setChecked(checked: boolean): Promise<void> {
    const isAsWanted = (element: any): boolean =>
      this.#in.injected.elementState(element, checked ? 'checked' : 'unchecked', true).matches;
    if (isAsWanted(await this.#one('check', []))) return;
    await this.#act('check', ['visible', 'enabled', 'in front'], (element) => click(this.#in.realm, element));
    if (!isAsWanted(await this.#one('check', []))) throw new Error(`${this} did not change when it was pressed`);
  }

  async selectOption(chosen: string | Chosen | readonly string[]): Promise<unknown> {
    const wanted = (typeof chosen === 'object' && !Array.isArray(chosen) ? [chosen] : [chosen].flat()).map((one) =>
      typeof one === 'string' ? { valueOrLabel: one } : one,
    );
    await this.#one('choose from', ['visible', 'enabled', 'in front']);
    const answer = await this.#in.until(`choose ${JSON.stringify(chosen)} from ${this}`, () => {
      const element = this.#in.find(this[SELECTOR]);
      if (!element) return 'it is not there';
      focusOn(this.#in.realm, this.#field(element));
      const selected = this.#in.injected.selectOptions(element, wanted as object[]);
      return typeof selected === 'string' ? selected : { found: selected };
    });
    await this.#in.settle();
    return answer;
  }

  setInputFiles({ name, mimeType, buffer }: ChosenFile): Promise<void> {
    return this.#act('choose a file for', ['enabled', 'in front'], (element) => {
      const { window } = this.#in.realm;
      const files = [new File([new Uint8Array(buffer)], name, { type: mimeType })];
      Object.defineProperty(element, 'files', { value: files, configurable: true });
      element.dispatchEvent(new window.Event('input', { bubbles: true, composed: true }));
      element.dispatchEvent(new window.Event('change', { bubbles: true }));
    });
  }

  focus(): Promise<void> {
    return this.#act('go to', ['in front'], (element) => focusOn(this.#in.realm, element));
  }

  async press(key: string): Promise<void> {
    await this.focus();
    await this.#in.page.keyboard.press(key);
  }

  async pressSequentially(text: string): Promise<void> {
    await this.focus();
    await this.#in.page.keyboard.type(text);
  }

  async waitFor({ state = 'visible' }: { state?: 'attached' | 'detached' | 'visible' | 'hidden' } = {}): Promise<void> {
    await this.#in.until(`wait until ${this} is ${state}`, () => {
      const element = this.#in.find(this[SELECTOR]);
      const isThere =
        element !== undefined &&
        (state === 'attached' ||
          state === 'detached' ||
          this.#in.injected.elementState(element, 'visible', true).matches);
      const isWanted = state === 'attached' || state === 'visible';
      if (isThere === isWanted) return { found: true };
      return element ? `it is there: ${this.#in.injected.previewNode(element)}` : 'it is not there';
    });
  }

  async all(): Promise<WindowPart[]> {
    return Array.from({ length: await this.count() }, (_, i) => this.nth(i));
  }

  async allInnerTexts(): Promise<string[]> {
    return this.#in.findAll(this[SELECTOR]).map((element) => this.#in.realm.displayed.textOf(element));
  }

  async count(): Promise<number> {
    return this.#in.findAll(this[SELECTOR]).length;
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.#one('read', [])).getAttribute(name);
  }

  async innerText(): Promise<string> {
    return this.#in.realm.displayed.textOf(await this.#one('read', []));
  }

  async inputValue(): Promise<string> {
    return this.#field(await this.#one('read', [])).value;
  }

  async isChecked(): Promise<boolean> {
    return this.#is('checked');
  }

  async isDisabled(): Promise<boolean> {
    return this.#is('disabled');
  }

  async isEnabled(): Promise<boolean> {
    return this.#is('enabled');
  }

  async #is(state: string): Promise<boolean> {
    return this.#in.injected.elementState(await this.#one('read', []), state, true).matches;
  }

  async isVisible(): Promise<boolean> {
    const element = this.#in.find(this[SELECTOR]);
    return element !== undefined && this.#in.injected.elementState(element, 'visible', true).matches;
  }

  async textContent(): Promise<string | null> {
    return (await this.#one('read', [])).textContent;
  }
}

export const keyboardOf = (within: DeskWindow): ScreenPage['keyboard'] => ({
  async press(key) {
    press(within.realm, key);
    await within.settle();
  },
  async type(text) {
    for (const key of text) press(within.realm, key);
    await within.settle();
  },
});
