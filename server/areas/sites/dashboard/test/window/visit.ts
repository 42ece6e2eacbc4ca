/**
 * A visitor of the dashboard as tests see them: in Chromium, or in a window within the test process. Both accept the
 * same calls, so a test switches by the line that opens the visitor.
 */

export interface Named {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
  readonly level?: number;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly expanded?: boolean;
  readonly pressed?: boolean;
  readonly selected?: boolean;
  readonly includeHidden?: boolean;
}

export interface Exact {
  readonly exact?: boolean;
}

export interface Narrower {
  readonly has?: Part;
  readonly hasNot?: Part;
  readonly hasText?: string | RegExp;
  readonly hasNotText?: string | RegExp;
  readonly visible?: boolean;
}

export interface Chosen {
  readonly value?: string;
  readonly label?: string;
  readonly index?: number;
}

export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Finder of parts of a page. */
export interface Finds {
  getByRole(role: string, options?: Named): Part;
  getByLabel(text: string | RegExp, options?: Exact): Part;
  getByText(text: string | RegExp, options?: Exact): Part;
  getByPlaceholder(text: string | RegExp, options?: Exact): Part;
  locator(selector: string, options?: Narrower): Part;
}

/** A part of a page, found again at each use like a locator of Playwright. Actions wait until they are possible. */
export interface Part extends Finds {
  filter(options?: Narrower): Part;
  first(): Part;
  last(): Part;
  nth(index: number): Part;
  and(other: Part): Part;
  or(other: Part): Part;
  page(): ScreenPage;

  click(): Promise<void>;
  fill(text: string): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  setChecked(checked: boolean): Promise<void>;
  selectOption(chosen: string | Chosen | readonly string[]): Promise<unknown>;
  setInputFiles(file: ChosenFile): Promise<void>;
  focus(): Promise<void>;
  press(key: string): Promise<void>;
  pressSequentially(text: string): Promise<void>;
  waitFor(options?: { readonly state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>;

  all(): Promise<Part[]>;
  allInnerTexts(): Promise<string[]>;
  count(): Promise<number>;
  getAttribute(name: string): Promise<string | null>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  isChecked(): Promise<boolean>;
  isDisabled(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  isVisible(): Promise<boolean>;
  textContent(): Promise<string | null>;
}

/** A response of the interface to the page. */
export interface Heard {
  status(): number;
  url(): string;
  request(): { method(): string };
}

export interface GivenFile {
  suggestedFilename(): string;
  /** path of the saved file */
  path(): Promise<string>;
}

export interface ScreenPage extends Finds {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  readonly clock: { setFixedTime(time: number): Promise<void> };
  goto(path: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  /** the whole page as HTML */
  content(): Promise<string>;
  waitForURL(url: RegExp | string | ((url: URL) => boolean)): Promise<void>;
  /** the next download of the page */
  waitForEvent(event: 'download'): Promise<GivenFile>;
  on(event: 'response', listener: (response: Heard) => void): unknown;
}

export interface Visit {
  readonly page: ScreenPage;
  readonly path: string;
  /** @throws Error with everything that the page did wrong */
  check(): void;
  /** Checks the page in its current state, in every color scheme and size. */
  checkLive(name: string): Promise<void>;
  heading(): Promise<string>;
  text(): Promise<string>;
  close(): Promise<void>;
}
