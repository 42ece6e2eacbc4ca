/** The properties of a resource that a caller selects with `fields` and `expand`, resolved against the declarations. */
import { nearest, type Shape } from '../../base/fields/field.ts';
import { Problem } from '../../base/problem.ts';
import type { Resource, ResourceOf } from '../resource.ts';

/** Names that a caller wrote, nested by their dots. */
export interface Names {
  [name: string]: Names;
}

/** The selection inside each field that is shown; null if the field stays plain. */
export type Selection = ReadonlyMap<string, Selection | null>;

const LEVELS = 4;
const NAMES_AT_MOST = 200;
const UNKNOWN_AT_MOST = 20;
/** Finding a suggestion takes longer than finding the mistake. */
const SUGGESTIONS_AT_MOST = 5;

/** Parses names: `a,b.c` → `{a: {}, b: {c: {}}}`; undefined if there are none. */
export function parseNames(parameter: string, list: string | undefined): Names | undefined {
  if (list === undefined) return undefined;
  const root: Names = Object.create(null);
  const paths = list
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '');
  if (paths.length === 0) return undefined;
  if (paths.length > NAMES_AT_MOST) throw tooMany(parameter);
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > LEVELS) {
      throw new Problem(
        'parameter_invalid',
        `${parameter}: "${path.slice(0, 80)}" goes deeper than ${LEVELS} levels.`,
        {
          [parameter]: [`Must have at most ${LEVELS} levels.`],
        },
      );
    }
    let node = root;
    for (const part of parts) node = node[part] ??= Object.create(null) as Names;
  }
  return root;
}

const tooMany = (parameter: string) =>
  new Problem('parameter_invalid', `${parameter}: names more than ${NAMES_AT_MOST} fields.`, {
    [parameter]: [`Must have at most ${NAMES_AT_MOST} names.`],
  });

/** Returns the fields that are shown. Unknown names are ignored here; `unknownNames` lists them for strict callers. */
export function select(
  resource: Pick<Resource, 'fields'>,
  resourceOf: ResourceOf,
  fields?: Names,
  expand?: Names,
  shows: readonly string[] = [],
): Selection {
  return selectShape(resource.fields, resourceOf, fields, expand, shows);
}

function selectShape(
  shape: Shape,
  resourceOf: ResourceOf,
  fields?: Names,
  expand?: Names,
  shows: readonly string[] = [],
): Selection {
  const selection = new Map<string, Selection | null>();
  const listed = fields && Object.keys(fields).length > 0 ? fields : undefined;
  for (const [name, field] of Object.entries(shape)) {
    const { spec } = field;
    if (listed ? !(name in listed) : spec.deferred && !(expand && name in expand) && !shows.includes(name)) continue;
    const inner = listed?.[name];
    const dotted = inner !== undefined && Object.keys(inner).length > 0;
    if (spec.relation) {
      const opened =
        dotted ||
        (expand !== undefined && name in expand) ||
        spec.relation.collapsed === 'objects' ||
        spec.relation.collapsed === 'object';
      selection.set(
        name,
        opened ? selectShape(resourceOf(spec.relation.target).fields, resourceOf, inner, expand?.[name]) : null,
      );
    } else if (spec.shape) {
      selection.set(name, selectShape(spec.shape, resourceOf, inner, expand?.[name]));
    } else {
      selection.set(name, null);
    }
  }
  return selection;
}

/** Returns the same text for equal selections. */
export function selectionKey(selection: Selection): string {
  let key = '';
  for (const [name, inner] of selection) key += inner ? `${name}(${selectionKey(inner)}),` : `${name},`;
  return key;
}

/** Returns the names that the resource does not have, each with the one that was probably meant. */
export function unknownNames(
  resource: Pick<Resource, 'fields'>,
  resourceOf: ResourceOf,
  names: Names | undefined,
): string[] {
  const found: string[] = [];
  const walk = (shape: Shape, node: Names, path: string) => {
    for (const name of Object.keys(node)) {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const at = path ? `${path}.${name}` : name;
      if (found.length === UNKNOWN_AT_MOST) return;
      if (!field) {
        const near = found.length < SUGGESTIONS_AT_MOST ? nearest(name, Object.keys(shape)) : undefined;
        found.push(
          `"${at.slice(0, 80)}" is unknown.${near ? ` Did you mean "${path ? `${path}.` : ''}${near}"?` : ''}`,
        );
        continue;
      }
      const inner = field.spec.relation ? resourceOf(field.spec.relation.target).fields : (field.spec.shape ?? {});
      walk(inner, node[name], at);
    }
  };
  if (names) walk(resource.fields, names, '');
  return found;
}
