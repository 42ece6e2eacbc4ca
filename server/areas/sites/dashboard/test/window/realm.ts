/**
 * A browser window without layout for the program of the dashboard: the browser's globals, and its requests to the
 * service.
 */
import { Window } from 'happy-dom';
import { resolveObjectURL, type Blob as NodeBlob } from 'node:buffer';
import { setTimeout as later } from 'node:timers';
import { Displayed, HEIGHT, WIDTH, type rulesOf } from './displayed.ts';

/** Names that mean the same in every window. */
const OF_LANGUAGE = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Promise RegExp JSON Math Intl
  Atomics Map BigInt Set WeakMap WeakSet WeakRef ArrayBuffer SharedArrayBuffer DataView Proxy Reflect Temporal eval escape
  unescape Iterator decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN FinalizationRegistry process
  global Buffer console constructor Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  require arguments Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array
  Float32Array Float64Array BigInt64Array BigUint64Array`.split(/\s+/),
);

/** Globals of Node, and those that its `fetch` accepts. */
const OF_NODE =
  `AbortController AbortSignal Blob File Headers ReadableStream Request Response TextDecoder TextDecoderStream TextEncoder
  TransformStream WritableStream URLSearchParams URL atob btoa crypto performance queueMicrotask structuredClone`.split(
    /\s+/,
  );

/** A size in px for every element, so that no program takes it for hidden. */
const SIZE = 20;

export interface RealmOptions {
  readonly url: string;
  readonly html: string;
  readonly rules: ReturnType<typeof rulesOf>;
  /** sends requests as the page does: with the visitor's cookies */
  readonly fetch: (address: URL, init: RequestInit) => Promise<Response>;
  readonly isOnline: () => boolean;
  /** Storage that survives from page to page. */
  readonly kept: { readonly local: Map<string, string>; readonly session: Map<string, string> };
  /** fixed time, or that of the machine */
  readonly now?: number;
  /** called when the page navigates to another address */
  readonly leave: (url: string) => void;
  /** called when the page offers a download */
  readonly give: (file: { readonly name: string; readonly blob: NodeBlob }) => void;
  readonly complain: (what: unknown) => void;
}

export class Realm {
  readonly window: any;
  readonly names: readonly string[];
  readonly globals: readonly unknown[];
  readonly displayed: Displayed;
  /** open dialogs, the topmost last */
  readonly modals: any[] = [];
  readonly #popovers = new Set<any>();
  readonly #closing = new AbortController();
  readonly #waiting = new Set<() => void>();
  readonly #options: RealmOptions;
  #version = 0;

  constructor(options: RealmOptions) {
    this.#options = options;
    const { url, html, rules, kept } = options;
    const window: any = new Window({
      url,
      width: WIDTH,
      height: HEIGHT,
      settings: {
        disableCSSFileLoading: true,
        disableJavaScriptFileLoading: true,
        handleDisabledFileLoadingAsSuccess: true,
        disableErrorCapturing: true,
        navigation: {
          disableMainFrameNavigation: true,
          disableChildFrameNavigation: true,
          disableChildPageNavigation: true,
        },
      } as object,
    });
    this.window = window;
    this.displayed = new Displayed(rules, (popover) => this.#popovers.has(popover));
    window.document.write(html);
    for (const [storage, entries] of [
      [window.localStorage, kept.local],
      [window.sessionStorage, kept.session],
    ])
      for (const [key, value] of entries) storage.setItem(key, value);
    this.#complete();
    const globals = this.#globals();
    this.names = [...globals.keys()];
    this.globals = [...globals.values()];
    const observer = new window.MutationObserver((records: readonly any[]) => {
      this.changed();
      // A screen waits for its style sheet.
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node.tagName === 'LINK' && node.rel === 'stylesheet') node.dispatchEvent(new window.Event('load'));
    });
    observer.observe(window.document, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** Returns the number of changes so far: query results stay valid while it is the same. */
  get version(): number {
    return this.#version;
  }

  changed(): void {
    this.#version++;
    this.displayed.forget();
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  /** Resolves after a change, or after this time: values of fields change without a mutation. */
  moment(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = later(() => {
        this.displayed.forget();
        this.#waiting.delete(go);
        done();
      }, ms);
      const go = (): void => {
        clearTimeout(timer);
        // Mutations of one change arrive together.
        setImmediate(done);
      };
      this.#waiting.add(go);
    });
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Returns the modal dialog that blocks the rest of the page. */
  get modal(): any {
    return this.modals.findLast((one) => one.isConnected && one.hasAttribute('open'));
  }

  /** Returns true if the element is behind a modal dialog. */
  isBehind(element: any): boolean {
    const { modal } = this;
    return modal !== undefined && !modal.contains(element);
  }

  close(): void {
    const { local, session } = this.#options.kept;
    for (const [storage, entries] of [
      [this.window.localStorage, local],
      [this.window.sessionStorage, session],
    ]) {
      entries.clear();
      for (let i = 0; i < storage.length; i++) entries.set(storage.key(i), storage.getItem(storage.key(i)));
    }
    this.#closing.abort();
    void this.window.happyDOM.abort();
  }

  // Adds what the library lacks in a window, or what needs a layout there.
  #complete(): void {
    const { window } = this;
    realms.set(window.document, this);
    complete(window);
    window.getComputedStyle = (element: any, pseudo?: string) => this.#computed(element, pseudo);
    window.document.addEventListener('click', (event: any) => this.activate(event));
    window.location.reload = () => this.#options.leave(window.location.href);
    window.location.replace = window.location.assign = (to: string) =>
      this.#options.leave(new URL(to, window.location.href).href);
  }

  /** Closes open popovers when somebody presses elsewhere. */
  pressedAt(element: any): void {
    for (const popover of this.#popovers) {
      const opener = element.closest?.('[popovertarget]')?.getAttribute('popovertarget');
      if (!popover.contains(element) && opener !== popover.id) this.hidePopover(popover);
    }
  }

  /** @returns true if something was open */
  closePopovers(): boolean {
    const open = [...this.#popovers].filter((one) => one.isConnected);
    for (const popover of open) this.hidePopover(popover);
    return open.length > 0;
  }

  /** Performs the browser's default action of a click that was not prevented. */
  activate(event: any): void {
    if (event.defaultPrevented) return;
    const opener = event.target.closest?.('[popovertarget]');
    if (opener) {
      const popover = this.window.document.getElementById(opener.getAttribute('popovertarget'));
      if (opener.getAttribute('popovertargetaction') === 'hide') popover?.hidePopover();
      else popover?.togglePopover();
    }
    const link = event.target.closest?.('a[href]');
    const blob = link?.hasAttribute('download') ? resolveObjectURL(link.href) : undefined;
    // The library would follow the link itself.
    if (link) event.preventDefault();
    if (blob) this.#options.give({ name: link.getAttribute('download'), blob });
    else if (link && link.target !== '_blank') {
      const to = new URL(link.getAttribute('href'), this.window.location.href);
      if (/^https?:$/.test(to.protocol)) this.#options.leave(to.href);
    }
  }

  showPopover(popover: any): void {
    for (const other of this.#popovers) if (!other.contains(popover)) this.hidePopover(other);
    if (this.#popovers.has(popover)) return;
    this.#popovers.add(popover);
    this.#toggled(popover, 'open');
  }

  hidePopover(popover: any): void {
    if (this.#popovers.delete(popover)) this.#toggled(popover, 'closed');
  }

  isOpen(popover: any): boolean {
    return this.#popovers.has(popover);
  }

  #toggled(popover: any, newState: 'open' | 'closed'): void {
    popover.dispatchEvent(Object.assign(new this.window.Event('toggle'), { newState }));
    this.changed();
  }

  sizeOf(element: any): number {
    if (!element || !this.displayed.isRendered(element)) return 0;
    // Options of a closed list have no size.
    if (element.tagName === 'OPTION' && !(element.closest('select')?.size > 1)) return 0;
    return this.displayed.styleOf(element).display === 'contents' ? 0 : SIZE;
  }

  #computed(element: any, pseudo?: string): object {
    const { display, visibility } = this.displayed.styleOf(element);
    const style = pseudo
      ? { display: 'inline', visibility, content: 'none' }
      : {
          display,
          visibility,
          content: 'normal',
          opacity: '1',
          cursor: 'auto',
          pointerEvents: 'auto',
          direction: 'ltr',
        };
    return { ...style, getPropertyValue: (name: string) => (style as Record<string, string>)[name] ?? '' };
  }

  #globals(): Map<string, unknown> {
    const { window } = this;
    const globals = new Map<string, unknown>();
    for (let of = window; of && of !== Object.prototype; of = Object.getPrototypeOf(of))
      for (const name of Object.getOwnPropertyNames(of))
        if (/^[A-Za-z_$][\w$]*$/.test(name) && !OF_LANGUAGE.has(name) && !globals.has(name)) {
          const value = window[name];
          globals.set(name, typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(window) : value);
        }
    const set = (name: string, value: unknown): void => {
      globals.set(name, value);
      if (!['window', 'self', 'globalThis', 'importMeta'].includes(name))
        Object.defineProperty(window, name, { value, writable: true, configurable: true });
    };
    for (const name of OF_NODE) set(name, (globalThis as any)[name]);
    for (const name of ['window', 'self', 'globalThis']) set(name, window);
    set('importMeta', { url: new URL('/dashboard/assets/index.js', this.#options.url).href });
    set('fetch', (address: string | URL, init: RequestInit = {}) => this.#fetch(address, init));
    set('FormData', formDataOf(window.FormData));
    set('BroadcastChannel', Silent);
    set('reportError', (error: unknown) => this.#options.complain(error));
    set('Date', this.#options.now === undefined ? Date : fixedDate(this.#options.now));
    const { isOnline } = this.#options;
    Object.defineProperty(window.navigator, 'onLine', { get: isOnline, configurable: true });
    Object.defineProperty(window.navigator, 'locks', { value: new Locks(), configurable: true });
    return globals;
  }

  async #fetch(address: string | URL, init: RequestInit): Promise<Response> {
    const url = new URL(address, this.window.location.href);
    const signal = AbortSignal.any([this.signal, ...(init.signal ? [init.signal] : [])]);
    try {
      const response = await this.#options.fetch(url, { ...init, signal });
      if (!this.signal.aborted) return response;
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
    // Never resolves: the page has been left.
    return new Promise(() => {});
  }
}

/** A page is the only one of its visitor, so nobody else listens. */
class Silent extends EventTarget {
  postMessage(): void {}
  close(): void {}
}

/** Locks of the only page. */
class Locks {
  readonly #held = new Map<string, Promise<unknown>>();

  async request(name: string, options: { signal?: AbortSignal }, run: () => Promise<unknown>): Promise<unknown> {
    const before = this.#held.get(name);
    const mine = (async () => {
      await before?.catch(() => {});
      options.signal?.throwIfAborted();
      return run();
    })();
    this.#held.set(name, mine);
    return mine;
  }
}

/** Converts form data into what Node's `fetch` sends. */
const formDataOf = (OfForm: any) =>
  class extends FormData {
    constructor(form?: unknown) {
      super();
      if (form === undefined) return;
      for (const [name, value] of new OfForm(form))
        if (typeof value === 'string') this.append(name, value);
        else this.append(name, value instanceof Blob ? value : new Blob(), value.name);
    }
  };

const fixedDate = (now: number) =>
  class extends Date {
    constructor(...given: readonly unknown[]) {
      super(...((given.length > 0 ? given : [now]) as [number]));
    }

    static override now(): number {
      return now;
    }
  };

/** Keyed by document: the classes of elements are the same in all windows. */
const realms = new WeakMap<object, Realm>();
const realmOf = (node: any): Realm => realms.get(node.ownerDocument)!;
const completed = new WeakSet<object>();

const change = (of: any, properties: Readonly<Record<string, any>>): void => {
  if (completed.has(of.prototype)) return;
  completed.add(of.prototype);
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(of.prototype, name, {
      configurable: true,
      ...(typeof value === 'function' ? { value, writable: true } : value),
    });
};

const nothing = (): void => {};

function complete(window: any): void {
  const { Element, HTMLDialogElement, HTMLElement, HTMLOptionElement, Range } = window;
  const size = {
    get(this: any) {
      return realmOf(this).sizeOf(this);
    },
  };
  const box = (node: any): unknown => {
    const side = realmOf(node).sizeOf(node.nodeType === 1 ? node : node.parentElement);
    return new window.DOMRect(0, 0, side, side);
  };
  change(Element, {
    getBoundingClientRect(this: any) {
      return box(this);
    },
    checkVisibility(this: any) {
      return realmOf(this).displayed.isRendered(this);
    },
    scrollIntoView: nothing,
    setPointerCapture: nothing,
    releasePointerCapture: nothing,
  });
  change(Range, {
    getBoundingClientRect(this: any) {
      return box(this.startContainer);
    },
  });
  const press = HTMLElement.prototype.click;
  const { matches } = Element.prototype;
  change(HTMLElement, {
    matches(this: any, selector: string) {
      if (selector === ':modal') return realmOf(this).modals.includes(this) && this.open;
      if (selector === ':popover-open') return realmOf(this).isOpen(this);
      return matches.call(this, selector);
    },
    offsetHeight: size,
    offsetWidth: size,
    clientHeight: size,
    clientWidth: size,
    innerText: {
      get(this: any) {
        return realmOf(this).displayed.textOf(this);
      },
      set(this: any, text: string) {
        this.textContent = text;
      },
    },
    click(this: any) {
      // Detached elements dispatch to nobody else.
      if (!this.isConnected)
        this.addEventListener('click', (event: any) => realmOf(this).activate(event), { once: true });
      press.call(this);
    },
    showPopover(this: any) {
      realmOf(this).showPopover(this);
    },
    hidePopover(this: any) {
      realmOf(this).hidePopover(this);
    },
    togglePopover(this: any) {
      if (realmOf(this).isOpen(this)) this.hidePopover();
      else this.showPopover();
    },
  });
  change(HTMLOptionElement, {
    label: {
      get(this: any) {
        return this.getAttribute('label') ?? this.text;
      },
    },
  });
  const { close } = HTMLDialogElement.prototype;
  change(HTMLDialogElement, {
    showModal(this: any) {
      if (this.open) throw new window.DOMException('It is open already.', 'InvalidStateError');
      this.setAttribute('open', '');
      realmOf(this).modals.push(this);
      const first = this.querySelector('[autofocus]') ?? this.querySelector('button, input, select, textarea, a[href]');
      (first ?? this).focus();
    },
    close(this: any, value?: string) {
      const { modals } = realmOf(this);
      const at = modals.indexOf(this);
      if (at >= 0) modals.splice(at, 1);
      close.call(this, value);
    },
  });
}
