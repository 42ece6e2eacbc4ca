/** `fields` and `expand` for a computed value: ids in it become objects, and unselected properties are removed. */
import { inputOf, type Prepared } from './admission.ts';
import { parseNames, type Selection } from '../reading/selection.ts';
import type { Printed } from '../reading/compile.ts';
import type { Reader } from '../reading/reader.ts';
import type { Send } from '../../base/db/sharing/batch.ts';
import type { Shape } from '../../base/fields/field.ts';

/** Runs one statement for each expanded relation, and for each relation inside it, however many values there are. */
export async function selected(
  reader: Reader,
  p: Prepared,
  shape: Shape,
  values: readonly Printed[],
  send: Send,
): Promise<readonly Printed[]> {
  const { fields, expand } = p.query;
  if (fields === undefined && expand === undefined) return values;
  const selection = reader.choices(shape, parseNames('fields', fields), parseNames('expand', expand));
  const opened = new Map<string, Map<number, Printed>>();
  for (const [name, inner] of selection) {
    const { relation } = shape[name].spec;
    if (!relation || !inner) continue;
    const ids = new Set(values.flatMap((value) => (value[name] as number | number[] | null) ?? []));
    opened.set(name, await reader.some(relation.target, inner, [...ids], inputOf(p), p.wire, send));
  }
  return values.map((value) => chosen(value, selection, opened));
}

/** Replaces ids by objects. An object that the caller may not see becomes null, and is left out of a list. */
function chosen(value: Printed, selection: Selection, opened: ReadonlyMap<string, Map<number, Printed>>): Printed {
  const out: Printed = {};
  for (const [name, inner] of selection) {
    if (!(name in value)) continue;
    const [held, objects] = [value[name], opened.get(name)];
    if (objects)
      out[name] = Array.isArray(held)
        ? held.flatMap((id) => objects.get(id) ?? [])
        : (objects.get(held as number) ?? null);
    else out[name] = inner && held !== null ? chosen(held as Printed, inner, new Map()) : held;
  }
  return out;
}
