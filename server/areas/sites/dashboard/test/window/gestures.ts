/** Actions with a pointer and a keyboard, and the browser's default reactions. */
import type { Realm } from './realm.ts';

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]';
const TYPED = new Set(['', 'email', 'number', 'password', 'search', 'tel', 'text', 'url']);

const isField = (element: any): boolean =>
  element?.tagName === 'TEXTAREA' || (element?.tagName === 'INPUT' && TYPED.has(element.getAttribute('type') ?? ''));

/** Sets a value as if it was typed: React distinguishes its own writes by the setter of the element. */
export function setValue(realm: Realm, element: any, value: string): void {
  const { HTMLInputElement, HTMLTextAreaElement } = realm.window;
  const { prototype } = element.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(element, value);
}

const changedBy = (realm: Realm, element: any, inputType: string, data?: string): void =>
  void element.dispatchEvent(
    new realm.window.InputEvent('input', {
      bubbles: true,
      composed: true,
      inputType,
      ...(data !== undefined && { data }),
    }),
  );

/** Values of fields before somebody typed into them. The browser fires the change event when they lose the focus. */
const before = new WeakMap<object, string>();

function left(realm: Realm, element: any): void {
  const held = before.get(element);
  before.delete(element);
  if (held !== undefined && held !== element.value)
    element.dispatchEvent(new realm.window.Event('change', { bubbles: true }));
}

export function focusOn(realm: Realm, element: any): void {
  const { activeElement, body } = realm.window.document;
  if (activeElement === element) return;
  if (activeElement && activeElement !== body) left(realm, activeElement);
  element.focus();
}

/** Presses and releases the pointer's button on an element. */
export function click(realm: Realm, element: any): void {
  const { window } = realm;
  const options = { bubbles: true, cancelable: true, composed: true, button: 0, detail: 1, view: window };
  const over = { ...options, pointerType: 'mouse', pointerId: 1, isPrimary: true };
  const point = (type: string, buttons: number): boolean =>
    element.dispatchEvent(new window.PointerEvent(type, { ...over, buttons }));
  const mouse = (type: string, buttons: number): boolean =>
    element.dispatchEvent(new window.MouseEvent(type, { ...options, buttons }));
  point('pointerover', 0);
  mouse('mouseover', 0);
  point('pointermove', 0);
  mouse('mousemove', 0);
  const pointed = point('pointerdown', 1);
  realm.pressedAt(element);
  if (pointed && mouse('mousedown', 1)) {
    const takes = element.closest(FOCUSABLE) ?? element.closest('label')?.control;
    if (takes && !takes.disabled) focusOn(realm, takes);
    else {
      const { activeElement, body } = window.document;
      if (activeElement && activeElement !== body) {
        left(realm, activeElement);
        activeElement.blur();
      }
    }
  }
  point('pointerup', 0);
  if (pointed) mouse('mouseup', 0);
  activate(realm, element, over);
}

function activate(
  realm: Realm,
  element: any,
  options: object = { bubbles: true, cancelable: true, composed: true },
): void {
  if (!element.isConnected) return;
  element.dispatchEvent(new realm.window.PointerEvent('click', options));
}

/** Replaces the text of a field. */
export function fill(realm: Realm, element: any, text: string): void {
  const type = element.tagName === 'INPUT' ? (element.getAttribute('type') ?? '').toLowerCase() : '';
  focusOn(realm, element);
  if (isField(element)) {
    if (!before.has(element)) before.set(element, element.value);
    const { maxLength } = element;
    setValue(realm, element, maxLength > 0 ? text.slice(0, maxLength) : text);
    changedBy(realm, element, text === '' ? 'deleteContentBackward' : 'insertText', text);
  } else if (['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week'].includes(type)) {
    setValue(realm, element, text.trim());
    if (element.value !== text.trim()) throw new Error(`"${text}" can't be put into a field of the type ${type}.`);
    changedBy(realm, element, 'insertText');
    element.dispatchEvent(new realm.window.Event('change', { bubbles: true }));
  } else throw new Error(`${element.outerHTML.slice(0, 100)} can't be filled.`);
}

const NAMED: Readonly<Record<string, string>> = { Space: ' ' };

interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

function strokeOf(keys: string): Stroke {
  const parts = keys.length > 1 ? keys.split('+') : [keys];
  const last = parts.at(-1)!;
  const key = NAMED[last] ?? last;
  const held = new Set(parts.slice(0, -1));
  return {
    key,
    ctrlKey: held.has('Control'),
    altKey: held.has('Alt'),
    shiftKey: held.has('Shift'),
    metaKey: held.has('Meta'),
  };
}

/** Presses a key in the focused element: `Enter`, `Escape`, `a`, `Control+k`. */
export function press(realm: Realm, keys: string): void {
  const { window } = realm;
  const stroke = strokeOf(keys);
  if (stroke.key === 'Tab')
    throw new Error('A window without layout has no order of the Tab key: test it in a browser.');
  const code = /^[a-z]$/i.test(stroke.key) ? `Key${stroke.key.toUpperCase()}` : keys === ' ' ? 'Space' : stroke.key;
  const target = window.document.activeElement ?? window.document.body;
  const send = (type: string, to: any): boolean =>
    to.dispatchEvent(
      new window.KeyboardEvent(type, {
        ...stroke,
        code,
        bubbles: true,
        cancelable: true,
        composed: true,
        view: window,
      }),
    );
  const goesOn = send('keydown', target);
  if (goesOn) {
    if (stroke.key.length === 1 && !stroke.ctrlKey && !stroke.altKey && !stroke.metaKey) send('keypress', target);
    act(realm, stroke, target);
  }
  const after = window.document.activeElement ?? window.document.body;
  const up = send('keyup', after);
  if (goesOn && up && stroke.key === ' ' && after === target && isPressedBySpace(target)) activate(realm, target);
}

const isPressedBySpace = (element: any): boolean =>
  element.tagName === 'BUTTON' ||
  element.tagName === 'SUMMARY' ||
  (element.tagName === 'INPUT' && ['checkbox', 'radio', 'button', 'submit'].includes(element.type));

function act(realm: Realm, { key, ctrlKey, altKey, metaKey }: Stroke, target: any): void {
  if (key === 'Escape') return escape(realm);
  if (key === 'Enter') return enter(realm, target);
  if (!isField(target)) return;
  if (ctrlKey && key.toLowerCase() === 'a') return target.select?.();
  if (ctrlKey || altKey || metaKey) return;
  const isAll = target.selectionStart === 0 && target.selectionEnd === target.value.length && target.value !== '';
  const change = (value: string, inputType: string): void => {
    if (!before.has(target)) before.set(target, target.value);
    setValue(realm, target, value);
    changedBy(realm, target, inputType, inputType === 'insertText' ? key : undefined);
  };
  if (key === 'Backspace' || key === 'Delete') change(isAll ? '' : target.value.slice(0, -1), 'deleteContentBackward');
  else if (key.length === 1) change(isAll && target.selectionEnd > 0 ? key : target.value + key, 'insertText');
}

function escape(realm: Realm): void {
  if (realm.closePopovers()) return;
  const { modal } = realm;
  if (!modal) return;
  if (modal.dispatchEvent(new realm.window.Event('cancel', { cancelable: true }))) modal.close();
}

function enter(realm: Realm, target: any): void {
  if (target.matches('button, a[href], summary')) return activate(realm, target);
  if (target.tagName === 'TEXTAREA') {
    setValue(realm, target, `${target.value}\n`);
    return changedBy(realm, target, 'insertLineBreak');
  }
  if (target.tagName !== 'INPUT' || !target.form) return;
  left(realm, target);
  const submit = [...target.form.elements].find(
    (one: any) =>
      (one.tagName === 'BUTTON' && one.type === 'submit') || (one.tagName === 'INPUT' && one.type === 'submit'),
  );
  // A form without a button is submitted if it has only one text field.
  if (submit && !submit.disabled) activate(realm, submit);
  else if (!submit && [...target.form.elements].filter(isField).length === 1) target.form.requestSubmit();
}
